import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { type Archive, findArchive } from '@/server/code'
import { isAnonymous, signedInUser } from '@/server/kernel/caller'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { type Answer, type Call, type Connection, type Handler, readOnly } from '@/server/kernel/http/call'
import { contentDisposition } from '@/server/kernel/http/content-disposition'
import { hasAlready } from '@/server/kernel/http/etag'
import { privateCaching, securityHeaders } from '@/server/kernel/http/security-headers.mjs'
import { requestContext, type Services } from '@/server/services'
import { authenticateReader } from '../authenticate-reader'
import { GitHttpError } from '../git/errors'
import { createSlots, defaultLimits, type GitLimits, gitMemoryOf } from '../git/limits'
import { openReply } from '../git/reply'
import type { Mount } from '../mount'
import { explainRefusal, refusalAnswer } from '../plain-refusal'
import { type ArchiveTarget, parseArchivePath } from './archive-path'
import { sendArchive } from './send-archive'

/**
 * Mount of `/{owner}/{repo}/archive/{archive}`, on the site and in the API, and of GitHub's `tarball`, `zipball`, and
 * `bundle` in the API: the files or the history of any commit, packed by Git.
 */
export const archivesMount: Mount = {
  name: 'archives',
  match: path => parseArchivePath(path) !== undefined,
  createHandler: services => createArchivesHandler(services),
}

// Packing occupies a processor while the client reads fast.
const archiveLimits: GitLimits = { ...defaultLimits, concurrency: 8 + 2 * availableParallelism() }

/** Creates the handler of archives. They have their own slots, and share Git's memory limit with fetches and pushes. */
export function createArchivesHandler(services: Services, limits = archiveLimits): Handler {
  const slots = createSlots('archives', limits)
  const memory = gitMemoryOf(services)

  async function answer(call: Call, connection: Connection, target: ArchiveTarget): Promise<Answer> {
    const ctx = await authenticateReader(requestContext(services, connection), call, target)
    if (target.archive === undefined) throw notFound()
    const paths = new URLSearchParams(call.query).getAll('path')
    const archive = await findArchive(ctx, { ...target, archive: target.archive, paths })
    const headers = headersOf(ctx, archive)
    if (hasAlready(call.headers, headers.ETag)) return { status: 304, headers }
    if (call.method === 'HEAD') return { status: 200, headers }
    return await packed(ctx, archive, headers, error => refuse(error, target, call, ctx))
  }

  function packed(
    ctx: ServiceCtx,
    archive: Archive,
    headers: Record<string, string>,
    refuseReply: (error: unknown) => Answer,
  ): Promise<Answer> {
    const { caller, remoteAddress: address } = ctx
    const reply = openReply(ctx.disconnected?.(), refuseReply)
    const client = {
      address,
      isAnonymous: isAnonymous(caller),
      account: signedInUser(caller)?.id,
      disconnected: () => reply.disconnected,
    }
    void slots(client, () => sendArchive(ctx, archive, headers, reply, { limits, reserve: memory(client) }))
      .catch(reply.fail)
      .then(reply.close)
    return reply.answer
  }

  return readOnly(async (call, connection) => {
    const target = parseArchivePath(call.path)
    if (!target) throw notFound()
    try {
      return await answer(call, connection, target)
    } catch (error) {
      return refuse(error, target, call, { ...services, requestId: connection.requestId })
    }
  })
}

function headersOf(
  { config }: ServiceCtx,
  { code: { owner, repository }, commit, ref, format, paths, fileName }: Archive,
): Record<string, string> & { ETag: string } {
  const forever = `${config.baseUrl}/api/v1/repos/${owner.name}/${repository.name}/archive/${commit}.${format}`
  const query = new URLSearchParams([['rev', commit], ...paths.map(path => ['path', path])])
  const part = paths.length > 0 ? `.${createHash('sha256').update(paths.join('\0')).digest('hex')}` : ''
  // A bundle contains the object of an annotated tag.
  const id = format === 'bundle' ? (ref?.id ?? commit) : commit
  return {
    ...securityHeaders,
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': contentDisposition('attachment', fileName),
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cache-Control': privateCaching,
    // Weak, because another version of Git may produce other bytes from the same files.
    ETag: `W/"${id}${part}.${format}"`,
    // Nix uses this link to pin archives.
    Link: `<${forever}?${query}>; rel="immutable"`,
  }
}

function refuse(
  error: unknown,
  target: ArchiveTarget,
  { query }: Call,
  { config, log, requestId }: Pick<Services, 'config' | 'log'> & { requestId: string },
): Answer {
  const { owner, repo, of: at } = target
  const named = { names: { owner, repo }, at, query }
  const refusal = error instanceof GitHttpError ? error : explainRefusal(error, named, { log, requestId })
  return refusalAnswer(refusal, target, config)
}
