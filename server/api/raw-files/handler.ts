import { Readable } from 'node:stream'
import { findRawFile, findRenamedRaw, type RawFile, type RawTarget, readBlob } from '@/server/code'
import { createKept, type Kept, type Made } from '@/server/events'
import { type BoundedCache, createBoundedCache } from '@/server/kernel/bounded-cache'
import { anonymous } from '@/server/kernel/caller'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { isDomainError, notFound } from '@/server/kernel/errors'
import { shownName } from '@/server/kernel/git/ref-text'
import { withGitSlot } from '@/server/kernel/git/slots'
import { streamObject } from '@/server/kernel/git/stream-object'
import { type Answer, type Call, type Connection, readOnly } from '@/server/kernel/http/call'
import { sniffedBytes } from '@/server/kernel/http/content-type'
import { hasAlready, hasSince } from '@/server/kernel/http/etag'
import { withoutToken } from '@/server/kernel/http/query-token'
import { type Range, rangeOf } from '@/server/kernel/http/range'
import { privateCaching, securityHeaders } from '@/server/kernel/http/security-headers.mjs'
import { singleton } from '@/server/kernel/singleton'
import { noteReads } from '@/server/repos'
import { requestContext, type Services } from '@/server/services'
import { authenticateReader } from '../authenticate-reader'
import type { Mount } from '../mount'
import { explainRefusal, refusalAnswer } from '../plain-refusal'
import { createStreamLimit, type StreamLimit } from '../stream-limit'
import { contentHeaders } from './content-headers'
import { parseRawPath, type RawPath } from './raw-path'

/**
 * Mount of `/{owner}/{repo}/raw/…` and `media/…`, on the site and in the API: the bytes of a file in a
 * repository.
 */
export const rawFilesMount: Mount = {
  name: 'raw-files',
  match: path => parseRawPath(path) !== undefined,
  createHandler: services => {
    const limit = createStreamLimit('raw files', 'reading')
    const kept = createKept<FoundFile>(services.db, maxKeptBytes)
    return readOnly(async (call, connection) => {
      const path = parseRawPath(call.path, call.query)
      if (!path) throw notFound()
      try {
        const ctx = await authenticateReader(requestContext(services, connection), call, path)
        return await answer(ctx, call, path, { limit, kept })
      } catch (error) {
        return refuse(error, call, path, services, connection)
      }
    })
  },
}

// Larger files have a process of their own while the client reads them.
const maxBuffered = 1024 * 1024
// What visitors read again and again, such as scripts and badges, is small.
const maxKeptBytes = 4 * 1024 * 1024
const maxKeptFile = 64 * 1024
const maxKeptUrl = 300

/** A file, or its path under the present name of its branch. */
interface FoundFile {
  file: RawFile | string
  /** Its content and the headers that describe it, if they are read already. */
  read?: { whole: Buffer; types: Record<string, string> }
}

async function answer(
  ctx: ServiceCtx,
  call: Call,
  path: RawPath,
  { limit, kept }: { limit: StreamLimit; kept: Kept<FoundFile> },
): Promise<Answer> {
  if (!path.target) throw notFound()
  const { file, read } = await findKept(ctx, call, { ...path, target: path.target }, kept)
  if (typeof file === 'string') return redirect(path.onBranch(file), call)
  const { sha, size } = file.header
  const etag = `"${sha}"`
  const about = { ...commonHeaders(file), ETag: etag }
  if (hasAlready(call.headers, etag) || hasSince(call.headers, file.changedAt)) {
    return { status: 304, headers: about }
  }
  const range = call.method === 'HEAD' ? undefined : rangeOf(call.headers, size, etag)
  if (range === 'none') {
    return { status: 416, headers: { ...about, 'Content-Range': `bytes */${size}` }, body: '' }
  }
  const whole = read?.whole ?? (size <= maxBuffered ? await readBlob(file.git, file.header) : undefined)
  const types = read?.types ?? (await typeHeaders(ctx, file, whole))
  const headers = { ...about, ...types, ...lengthHeaders(size, range) }
  const status = range ? 206 : 200
  if (call.method === 'HEAD') return { status, headers }
  if (whole) return { status, headers, body: range ? whole.subarray(range.start, range.end + 1) : whole }
  return await limit(ctx, { status, headers }, () => {
    const content = streamObject(file.git, file.header)
    return range ? Readable.from(sliced(content, range), { objectMode: false }) : content
  })
}

interface WholePath extends RawPath {
  target: RawTarget
}

/** Finds a file. Small ones are read and kept for visitors. */
async function findKept(
  ctx: ServiceCtx,
  call: Call,
  path: WholePath,
  kept: Kept<FoundFile>,
): Promise<FoundFile> {
  const key = `${call.path}?${call.query}`
  const shared =
    ctx.caller === anonymous && key.length <= maxKeptUrl
      ? kept.get(key, 'repositories', () => readForOthers(ctx, path), true)
      : undefined
  return await (shared ?? findFile(ctx, path).then(file => ({ file })))
}

async function readForOthers(ctx: ServiceCtx, path: WholePath): Promise<Made<FoundFile>> {
  const reads = noteReads(ctx)
  const file = await findFile(reads.ctx, path)
  const repositories = await reads.repositories()
  if (typeof file === 'string' || file.header.size > maxKeptFile) {
    return { value: { file }, bytes: 0, isShared: false, repositories }
  }
  const whole = await readBlob(file.git, file.header)
  const types = await typeHeaders(reads.ctx, file, whole)
  return {
    value: { file, read: { whole, types } },
    bytes: whole.length + maxAroundFile,
    isShared: reads.isComplete(),
    repositories,
  }
}

const maxAroundFile = 4_000

/** Finds a file, or its path under the present name of its branch if that was renamed. */
async function findFile(ctx: ServiceCtx, { target, ...path }: WholePath): Promise<RawFile | string> {
  try {
    return await findRawFile(ctx, path, target)
  } catch (error) {
    if (path.isApi || !isDomainError(error) || error.kind !== 'notFound') throw error
    const renamed = await findRenamedRaw(ctx, path, target)
    if (renamed === undefined) throw error
    return renamed
  }
}

// A branch can get the former name at any time.
function redirect(path: string, { query }: Call): Answer {
  const kept = withoutToken(query)
  const Location = `${path}${kept ? `?${kept}` : ''}`
  return {
    status: 302,
    headers: { ...securityHeaders, Location, 'Cache-Control': privateCaching, Vary: 'Authorization, Cookie' },
    body: '',
  }
}

// What a blob is never changes, but its name may say more.
const typesKept = (): BoundedCache<Record<string, string>> =>
  singleton('raw-file-types', () => createBoundedCache({ maxSize: 5_000, maxAgeMs: 60 * 60_000 }))

async function typeHeaders(
  ctx: ServiceCtx,
  file: RawFile,
  whole: Buffer | undefined,
): Promise<Record<string, string>> {
  const key = `${file.git} ${file.header.sha} ${file.name}`
  const known = typesKept().get(key)
  if (known) return known
  const beginning = whole ?? (await withGitSlot(ctx, () => beginningOf(file)))
  const headers = await contentHeaders(shownName(file.name), beginning)
  typesKept().set(key, headers, 1)
  return headers
}

function commonHeaders({ type, isPrivate, changedAt }: RawFile): Record<string, string> {
  return {
    ...securityHeaders,
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    // A branch can move at any time, and a session can get another response.
    'Cache-Control': `${isPrivate ? 'private' : 'public'}, max-age=0, must-revalidate`,
    Vary: 'Authorization, Cookie',
    'Accept-Ranges': 'bytes',
    'X-Gitea-Object-Type': type,
    ...(changedAt && { 'Last-Modified': changedAt.toUTCString() }),
  }
}

function lengthHeaders(size: number, range: Range | undefined): Record<string, string> {
  if (!range) return { 'Content-Length': String(size) }
  const { start, end } = range
  return { 'Content-Length': String(end - start + 1), 'Content-Range': `bytes ${start}-${end}/${size}` }
}

async function beginningOf({ git, header }: RawFile): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of streamObject(git, header)) {
    chunks.push(chunk as Buffer)
    length += (chunk as Buffer).length
    if (length >= sniffedBytes) break
  }
  return Buffer.concat(chunks).subarray(0, sniffedBytes)
}

/** Returns the part of a stream that a range names, and reads no further. */
async function* sliced(content: Readable, { start, end }: Range): AsyncGenerator<Buffer> {
  let at = 0
  for await (const chunk of content) {
    const bytes = chunk as Buffer
    yield bytes.subarray(Math.max(start - at, 0), Math.max(end + 1 - at, 0))
    at += bytes.length
    if (at > end) return
  }
}

function refuse(
  error: unknown,
  { query }: Call,
  path: RawPath,
  { config, log }: Services,
  { requestId }: Connection,
): Answer {
  const { owner, repo, of: at } = path
  const refusal = explainRefusal(error, { names: { owner, repo }, at, query }, { log, requestId })
  return refusalAnswer(refusal, path, config)
}
