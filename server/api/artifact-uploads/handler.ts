import { checkUpload, parseUploadPath, type UploadPermit } from '@/server/artifacts/signed-path'
import { mostListedBlocks } from '@/server/artifacts/uploads/block-order'
import { commitBlocks } from '@/server/artifacts/uploads/commit'
import {
  type Incoming,
  receiveAppended,
  receiveBlock,
  receiveWhole,
} from '@/server/artifacts/uploads/receive'
import { createSlots, defaultSlots } from '@/server/artifacts/uploads/slots'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { isDomainError } from '@/server/kernel/errors'
import type { Answer, Call, Connection } from '@/server/kernel/http/call'
import { bodyAt } from '@/server/kernel/http/pace'
import { securityHeaders } from '@/server/kernel/http/security-headers.mjs'
import { requestContext, type Services } from '@/server/services'
import type { Mount } from '../mount'
import { isBlockId, parseBlockList } from './block-list'
import { BlobError, presentBlobError } from './errors'

/**
 * Receives artifact uploads to signed URLs below `/-/artifacts/upload/` in the protocol of Azure block blobs,
 * which the official clients use.
 */
export const artifactUploadsMount: Mount = {
  name: 'artifact-uploads',
  match: path => path.startsWith('/-/artifacts/upload/'),
  pacesBody: () => true,
  refuse,
  createHandler(services) {
    const slots = createSlots(defaultSlots)
    return async (call, connection) => {
      const common = commonHeaders(call, connection)
      try {
        const ctx = requestContext(services, connection)
        const permit = authorize(ctx, call)
        const operation = operationOf(call)
        const resumeTimeout = connection.suspendIdleTimeout?.()
        const answer = await slots(permit.taskId, async () => {
          resumeTimeout?.()
          return await operation(ctx, permit, call)
        })
        return { ...answer, headers: { ...answer.headers, ...common } }
      } catch (error) {
        return refuse(bodyCut(error, call), call, { ...services, ...connection })
      }
    }
  },
}

function refuse(error: unknown, call: Call, around: Services & Connection): Answer {
  const answer = presentBlobError(error, around)
  return { ...answer, headers: { ...answer.headers, ...commonHeaders(call, around) } }
}

function commonHeaders({ headers }: Call, { requestId }: Connection): Record<string, string> {
  const version = headers.get('x-ms-version') ?? ''
  const clientId = headers.get('x-ms-client-request-id') ?? ''
  return {
    ...securityHeaders,
    'Cache-Control': 'no-store',
    'x-ms-request-id': requestId,
    'x-ms-version': /^\d{4}-\d{2}-\d{2}$/.test(version) ? version : '2023-11-03',
    ...(/^[\w.-]{1,128}$/.test(clientId) ? { 'x-ms-client-request-id': clientId } : {}),
  }
}

function authorize(ctx: ServiceCtx, { method, path, query }: Call): UploadPermit {
  if (method !== 'PUT') {
    const message = `the method ${method} is not allowed; use PUT`
    throw new BlobError(405, 'UnsupportedHttpVerb', message, { Allow: 'PUT' })
  }
  const permit = parseUploadPath(path)
  const state = permit ? checkUpload(ctx, permit, query) : 'wrong'
  if (permit && state === 'valid') return permit
  const message = state === 'expired' ? 'the upload URL has expired' : 'the upload URL is not valid'
  throw new BlobError(403, 'AuthenticationFailed', message)
}

type Operation = (ctx: ServiceCtx, permit: UploadPermit, call: Call) => Promise<Answer>

function operationOf({ query, headers }: Call): Operation {
  const comp = parameter(query, 'comp')?.toLowerCase()
  switch (comp) {
    case 'block':
      return putBlock(parameter(query, 'blockid') ?? '')
    case 'blocklist':
      return putBlockList
    case 'appendblock':
      return appendBlock
    case undefined:
      if (!['', 'blockblob', 'appendblob'].includes((headers.get('x-ms-blob-type') ?? '').toLowerCase())) {
        throw new BlobError(400, 'InvalidHeaderValue', 'x-ms-blob-type must be BlockBlob')
      }
      return putBlob
    default:
      throw new BlobError(400, 'InvalidQueryParameterValue', 'comp must be block, blocklist, or appendblock')
  }
}

function putBlock(name: string): Operation {
  if (!isBlockId(name)) {
    throw new BlobError(
      400,
      'InvalidQueryParameterValue',
      'blockid must be the base64 encoding of 1 to 64 bytes',
    )
  }
  return async (ctx, permit, call) => {
    await receiveBlock(ctx, permit, { name, ...incoming(call) })
    return { status: 201, headers: {} }
  }
}

// Size of the longest valid list, with room for white space.
const maxListBytes = 12 * 1024 * 1024

const putBlockList: Operation = async (ctx, permit, call) => {
  const xml = Buffer.from(await call.body(maxListBytes)).toString()
  const list = parseBlockList(xml, mostListedBlocks)
  await commitBlocks(ctx, permit, list).catch(error => {
    if (isDomainError(error) && error.kind === 'invalid')
      throw new BlobError(400, 'InvalidBlockList', error.message)
    throw error
  })
  return created(ctx, permit)
}

const appendBlock: Operation = async (ctx, permit, call) => {
  await receiveAppended(ctx, permit, incoming(call))
  return created(ctx, permit)
}

const putBlob: Operation = async (ctx, permit, call) => {
  await receiveWhole(ctx, permit, incoming(call))
  return created(ctx, permit)
}

function created({ clock, requestId }: ServiceCtx, { artifactId }: UploadPermit): Answer {
  const headers = { ETag: `"${artifactId}-${requestId}"`, 'Last-Modified': clock.now().toUTCString() }
  return { status: 201, headers }
}

const pace = { graceMs: 120_000, bytesPerSecond: 4096 }

function incoming(call: Call): Incoming {
  const length = call.headers.get('content-length')
  return {
    body: bodyAt(pace, call.stream(), tooSlow),
    length: length === null ? undefined : Number(length),
  }
}

// Clients retry after this status.
const tooSlow = (): BlobError =>
  new BlobError(500, 'OperationTimedOut', 'the body was sent too slowly', { Connection: 'close' })

// The client disconnected before its body was complete.
function bodyCut(error: unknown, call: Call): unknown {
  const isKnown = isDomainError(error) || error instanceof BlobError
  return !isKnown && error === call.stream().errored
    ? new BlobError(400, 'IncompleteBody', 'the body was cut short')
    : error
}

/**
 * Returns a query parameter. Names are case-insensitive, as in Azure. A plus sign is kept, because block IDs
 * contain it.
 */
function parameter(query: string, name: string): string | undefined {
  for (const pair of query.split('&')) {
    const [key = '', value = ''] = splitOnce(pair)
    if (key.toLowerCase() !== name) continue
    try {
      return decodeURIComponent(value)
    } catch {
      throw new BlobError(400, 'InvalidQueryParameterValue', `${name} is not encoded correctly`)
    }
  }
  return undefined
}

function splitOnce(pair: string): [string, string] {
  const at = pair.indexOf('=')
  return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
}
