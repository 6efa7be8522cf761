import { once } from 'node:events'
import { pipeline, type Readable, Transform } from 'node:stream'
import { GitError, GitTimeout, spawnGit, textOf } from './run'

/**
 * Streams the output of a Git command, which writes no faster than the stream is read. Destroying the stream ends the
 * command. The stream fails with a `GitError` if the command does, and with a `GitTimeout` after `timeoutMs`
 * milliseconds.
 */
export function streamOutput(repository: string, args: readonly string[], timeoutMs: number): Readable {
  const child = spawnGit(args, { repository })
  const [command = ''] = args
  const stderr = textOf(child.stderr)
  const closed = once(child, 'close')
  closed.catch(error => output.destroy(error))
  const output = new Transform({
    transform(chunk: Buffer, _encoding, pass) {
      pass(null, chunk)
    },
    flush(done) {
      void closed.then(
        ([code]) =>
          done(code === 0 ? null : new GitError(command, `exited with code ${code}`, stderr(), Number(code))),
        done,
      )
    },
  })
  child.stdin.on('error', () => undefined)
  child.stdin.end()
  const timer = setTimeout(
    () => output.destroy(new GitTimeout(command, 'took too long', stderr())),
    timeoutMs,
  )
  pipeline(child.stdout, output, () => {
    clearTimeout(timer)
    child.kill('SIGTERM')
  })
  return output
}
