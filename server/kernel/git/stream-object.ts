import { once } from 'node:events'
import { pipeline, type Readable, Transform } from 'node:stream'
import type { Header } from './readers/answers'
import { GitError, spawnGit, textOf } from './run'

/**
 * Streams the content of an object with a `git` process of its own, which reads no faster than the stream is
 * read. Destroying the stream ends the process. The stream fails with a `GitError` if Git does not return the
 * whole content.
 */
export function streamObject(repository: string, { sha, type, size }: Header): Readable {
  const child = spawnGit(['cat-file', type, sha], { repository })
  const stderr = textOf(child.stderr)
  const closed = once(child, 'close')
  closed.catch(error => content.destroy(error))
  let left = size
  const content = new Transform({
    transform(chunk: Buffer, _encoding, pass) {
      left -= chunk.length
      pass(null, chunk)
    },
    flush(done) {
      if (left === 0) return done()
      const fail = () => done(new GitError('cat-file', 'did not return the whole object', stderr()))
      // By then, everything that Git complained about has arrived.
      void closed.then(fail, fail)
    },
  })
  child.stdin.on('error', () => undefined)
  child.stdin.end()
  pipeline(child.stdout, content, () => child.kill('SIGTERM'))
  return content
}
