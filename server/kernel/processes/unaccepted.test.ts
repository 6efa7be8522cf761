import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { request } from 'node:http'
import { expect, it, onTestFinished, vi } from 'vitest'
import { keepUnaccepted } from './unaccepted'

const program = `require('node:http')
  .createServer((request, response) => response.end('served'))
  .listen(0, '127.0.0.1')`

/** Starts processes that share a port and end with the test. The first one accepts nothing. */
async function startProcesses(count: number, hasOthers: boolean): Promise<{ port: number; halted: Worker }> {
  cluster.setupPrimary({ exec: 'server', execArgv: ['-e', program] })
  const workers = Array.from({ length: count }, () => cluster.fork())
  onTestFinished(() => {
    for (const worker of workers) worker.process.kill('SIGKILL')
  })
  for (const worker of workers) keepUnaccepted(worker, () => hasOthers)
  const listening = await Promise.all(workers.map(worker => once(worker, 'listening')))
  const halted = workers[0] as Worker
  halted.process.kill('SIGSTOP')
  return { port: listening[0]?.[0].port, halted }
}

/** Sends a request on a connection of its own. Returns the body, or the code of the error. */
function call(port: number): Promise<string> {
  return new Promise(resolve => {
    const sent = request({ port, host: '127.0.0.1', agent: false }, async response => {
      resolve((await response.setEncoding('utf8').toArray()).join(''))
    })
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''))
    sent.end()
  })
}

it('a connection that a killed process has not accepted is served by another one', async () => {
  const { port, halted } = await startProcesses(2, true)
  const calls = Array.from({ length: 6 }, () => call(port))
  let served = 0
  for (const one of calls) void one.then(() => served++)
  await expect.poll(() => served).toBe(5)
  halted.process.kill('SIGKILL')
  expect(await Promise.all(calls)).toEqual(Array(6).fill('served'))
})

it('a connection that the only process has not accepted is closed when it ends', async () => {
  const { port, halted } = await startProcesses(1, false)
  const send = vi.spyOn(halted.process, 'send')
  const waiting = call(port)
  await expect.poll(() => send.mock.calls.length).toBe(1)
  halted.process.kill('SIGKILL')
  expect(await waiting).toBe('ECONNRESET')
})
