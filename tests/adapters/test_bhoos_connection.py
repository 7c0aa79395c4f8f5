"""The bridge keeps one connection, and reads HTTP as servers of all kinds write it."""

from __future__ import annotations

import socket
import threading

import pytest

from arena.adapters.bhoos.bridge import Connection, NoAnswerError

OK = b"HTTP/1.1 200 OK\r\n"


class Script:
    """A server that follows a script: a list of answers for each connection, one a request.

    An answer is a list of pieces; None closes the connection.
    """

    def __init__(self, *connections):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.requests = []
        self.closed = threading.Semaphore(0)
        self._thread = threading.Thread(target=self._serve, args=(connections,), daemon=True)
        self._thread.start()

    def _serve(self, connections):
        for answers in connections:
            connection, _ = self.socket.accept()
            with connection:
                self._follow(connection, answers)
            self.closed.release()
        self.socket.close()

    def _follow(self, connection, answers):
        for pieces in answers:
            if pieces is None:
                return
            self.requests.append(connection.recv(65536))
            for piece in pieces:
                connection.sendall(piece)


def ask(connection, body=b"{}"):
    return connection.ask("POST", "/play", body, 5.0)


LENGTH = [OK + b"Content-Length: 5\r\n\r\nhello"]
FORMS = {
    "in one piece": LENGTH,
    "headers and body apart": [OK + b"content-length:5\r\n\r\n", b"hello"],
    "byte by byte": [bytes([byte]) for byte in LENGTH[0]],
    "in chunks": [
        OK + b"Transfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n",
        b"3;x=y\r\nllo\r\n0\r\n\r\n",
    ],
    "after a 100": [b"HTTP/1.1 100 Continue\r\n\r\n", *LENGTH],
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_an_answer_is_read_over_one_connection(form):
    script = Script([FORMS[form], FORMS[form]])
    connection = Connection(script.port)
    assert [ask(connection), ask(connection)] == [(200, b"hello")] * 2
    assert connection.connects == 1


@pytest.mark.parametrize(
    "answer",
    [
        [OK + b"\r\nhello"],
        [OK + b"Connection: Close\r\nContent-Length: 5\r\n\r\nhello"],
        [b"HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello"],
    ],
)
def test_a_server_that_closes_after_each_answer_gets_a_new_connection(answer):
    script = Script([answer], [answer])
    connection = Connection(script.port)
    assert [ask(connection), ask(connection)] == [(200, b"hello")] * 2
    assert connection.connects == 2


def test_a_connection_closed_while_idle_is_made_again_before_the_request():
    script = Script([LENGTH, None], [LENGTH])
    connection = Connection(script.port)
    ask(connection)
    assert script.closed.acquire(timeout=60)
    assert ask(connection) == (200, b"hello")
    assert len(script.requests) == 2


def test_a_kept_connection_closed_under_the_request_is_tried_once_more():
    script = Script([LENGTH, []], [LENGTH])
    connection = Connection(script.port)
    ask(connection)
    assert ask(connection) == (200, b"hello")


def test_a_new_connection_that_is_closed_without_an_answer_is_not_tried_again():
    script = Script([[]], [LENGTH])
    with pytest.raises(NoAnswerError, match="closed before an answer"):
        ask(Connection(script.port))
    assert len(script.requests) == 1


@pytest.mark.parametrize(
    "answer",
    [
        b"hello\r\n\r\n",
        b"HTTP/1.1 abc\r\n\r\n",
        OK + b"Content-Length: 99999999\r\n\r\n",
        OK + b"Content-Length: -1\r\n\r\n",
        OK + b"Transfer-Encoding: chunked\r\n\r\nxyz\r\n",
        OK + b"Transfer-Encoding: chunked\r\n\r\n-5\r\n",
        OK + b"Transfer-Encoding: chunked\r\n\r\nfffffff\r\n",
        OK + b"X: " + b"x" * 200_000,
        OK + b"\r\n" + b"x" * 200_000,
        OK + b"Content-Length: 9\r\n\r\nhello",
    ],
)
def test_what_is_no_answer_is_said_and_bounded(answer):
    script = Script([[answer]])
    connection = Connection(script.port)
    with pytest.raises(NoAnswerError) as caught:
        ask(connection)
    assert len(str(caught.value)) < 300


def test_nobody_there_is_said():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(NoAnswerError, match="refused"):
        ask(Connection(port))
