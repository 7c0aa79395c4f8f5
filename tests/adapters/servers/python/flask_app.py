"""The player behind a web framework."""

from flask import Flask, jsonify, request
from player import get_bid, get_card

app = Flask(__name__)


@app.get("/hi")
def hi():
    return jsonify(value="hello")


@app.post("/bid")
def bid():
    return jsonify(value=get_bid(request.json))


@app.post("/play")
def play():
    return jsonify(value=get_card(request.json))


if __name__ == "__main__":
    app.run(host="0.0.0.0", port=7000)
