import type { Archive } from '@/server/code'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { memoryFor } from '@/server/kernel/git/memory'
import { bytesForGit } from '@/server/kernel/git/ref-text'
import { countPackedObjects } from '@/server/repos/storage'
import { GitHttpError } from '../git/errors'
import { endWithClient, startGit } from '../git/git-call'
import { type GitLimits, paceFor, type Reserve } from '../git/limits'
import type { Reply } from '../git/reply'
import { streamOutput } from '../git/stream-output'

// Git writes the directory before it knows whether the rest fits into memory. While its output is held back,
// an early failure can still become an error response, and a small archive is sent in one piece.
const heldBytes = 16 * 1024

/**
 * Streams an archive while Git packs it. Git follows the attributes of the files, but runs no programs that they name,
 * because it gets only our own settings.
 */
export async function sendArchive(
  { log, requestId }: ServiceCtx,
  archive: Archive,
  headers: Record<string, string>,
  reply: Reply,
  { limits, reserve }: { limits: GitLimits; reserve: Reserve },
): Promise<void> {
  const { git: repository, repository: row } = archive.code
  const objects = await countPackedObjects(repository)
  await reserve(memoryFor({ storedKib: row.size_kib, objects }), async memory => {
    // The client may have left while it waited for memory.
    if (reply.disconnected.aborted) return
    const { args, input, before } = archive.format === 'bundle' ? bundling(archive) : packing(archive)
    const started = startGit(args, { repository, memory }, { log, requestId })
    endWithClient(started.process, reply.disconnected)
    started.process.stdin.end(input)
    const pace = paceFor(limits.pack, memory)
    const output = following(before, started.process.stdout)
    const answer = await streamOutput(output, reply, headers, { pace, heldBytes })
    const well = await started.ended()
    if (reply.disconnected.aborted) return
    if (!well) {
      log.warn({ requestId, repository: row.id, commit: archive.commit }, 'git could not create an archive')
      throw new GitHttpError(
        422,
        'Git could not create this archive: doing so requires too much memory, or the repository is damaged.',
      )
    }
    answer.finish()
  })
}

/** A command of Git with its input, and what precedes its output. */
interface Packing {
  args: string[]
  input: string
  before: Buffer
}

function packing({ commit, format, directory, paths }: Archive): Packing {
  const specs = paths.map(path => `:(top,literal)${path}`)
  const args = ['archive', `--format=${format}`, `--prefix=${directory}/`, commit, ...specs]
  return { args, input: '', before: Buffer.alloc(0) }
}

// Source: gitformat-bundle(5). `git bundle create` could not name a commit without a ref, and its refs could move
// before it reads them.
function bundling({ code, commit, ref }: Archive): Packing {
  const version = code.repository.object_format === 'sha256' ? 'v3' : 'v2'
  const format = version === 'v3' ? '@object-format=sha256\n' : ''
  const named = ref
    ? Buffer.concat([Buffer.from(`${ref.id} `), bytesForGit(`${ref.ref}\n`)])
    : Buffer.alloc(0)
  return {
    args: ['pack-objects', '--revs', '--stdout', '-q', '--delta-base-offset'],
    input: `${ref?.id ?? commit}\n`,
    before: Buffer.concat([
      Buffer.from(`# ${version} git bundle\n${format}${commit} HEAD\n`),
      named,
      Buffer.from('\n'),
    ]),
  }
}

async function* following(before: Buffer, output: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (before.length > 0) yield before
  yield* output
}
