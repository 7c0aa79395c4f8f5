// Reads a line and answers with its capitals, worked out in a worker thread.
const { Worker, isMainThread, parentPort, workerData } = require('node:worker_threads');

if (isMainThread) {
  process.stdin.once('data', (data) => {
    const worker = new Worker(__filename, { workerData: data.toString().trim() });
    worker.once('message', (line) => process.stdout.write(line + '\n'));
  });
} else {
  parentPort.postMessage(workerData.toUpperCase());
}
