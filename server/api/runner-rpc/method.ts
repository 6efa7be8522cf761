import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from '@bufbuild/protobuf'
import {
  Code,
  createConnectRouter,
  createContextKey,
  createContextValues,
  type HandlerContext,
  type MethodImpl,
} from '@connectrpc/connect'
import type { UniversalHandler, UniversalServerResponse } from '@connectrpc/connect/protocol'
import type { ServiceCtx } from '@/server/kernel/ctx'
import type { Answer, Call, HeaderReader } from '@/server/kernel/http/call'
import { gzipCompression } from './compression'
import { commonHeaders, connectErrorOf, RequestError } from './errors'
import { type FieldLimit, limitFields } from './field-limit'
import { withBody } from './large-bodies'

/** Connect method that handles requests at its path. */
export interface Method {
  /** Names of the service and the method, with a leading slash. */
  path: string
  answer(ctx: ServiceCtx, call: Call): Promise<Answer>
}

interface Options<Ctx extends ServiceCtx> {
  /** Maximum size of a protobuf request, in bytes. */
  maxBytes: number
  fields?: FieldLimit
  /** Authenticates the caller before anything of the body is read. */
  authenticate(ctx: ServiceCtx, headers: HeaderReader): Promise<Ctx>
}

interface Running<Ctx> {
  ctx: Ctx
  /** Whether the message was decoded. */
  wasRead: boolean
}

/** Creates a method from its description and the function that handles a decoded request. */
export function createMethod<Input extends DescMessage, Output extends DescMessage, Ctx extends ServiceCtx>(
  desc: DescMethodUnary<Input, Output>,
  { maxBytes, fields, authenticate }: Options<Ctx>,
  run: (ctx: Ctx, request: MessageShape<Input>, context: HandlerContext) => Promise<MessageInitShape<Output>>,
): Method {
  const runKey = createContextKey<Running<Ctx> | undefined>(undefined)
  const handler = createHandler(desc, maxBytes, async (request, context) => {
    const running = context.values.get(runKey)
    if (!running) throw new Error('the method was called without its handler')
    running.wasRead = true
    return await run(running.ctx, request, context).catch(error => {
      throw connectErrorOf(error, running.ctx)
    })
  })
  return {
    path: handler.requestPath,
    async answer(asked, call) {
      requireContentType(handler, call)
      const ctx = await authenticate(asked, call.headers)
      const isJson = isJsonType(call.headers.get('content-type') ?? '')
      const limit = isJson ? Math.min(maxBytes, maxJsonBytes) : maxBytes
      return await withBody(ctx, call, limit, async () => {
        const body = await call.body(limit)
        const running = { ctx, wasRead: false }
        const response = await handler({
          httpVersion: '1.1',
          // Only the query is read, and only for methods called by GET.
          url: 'http://localhost/',
          method: call.method,
          header: headersOf(call),
          body: chunksOf(isJson || !fields ? body : limitFields(body, fields)),
          signal: ctx.disconnected?.() ?? new AbortController().signal,
          contextValues: createContextValues().set(runKey, running),
        })
        const answer = await answerOf(response)
        // The library reports a malformed binary message as an internal error.
        if (answer.status !== 500 || running.wasRead) return answer
        throw new RequestError(400, Code.InvalidArgument, 'the message cannot be decoded')
      })
    },
  }
}

function createHandler<Input extends DescMessage, Output extends DescMessage>(
  desc: DescMethodUnary<Input, Output>,
  readMaxBytes: number,
  run: (request: MessageShape<Input>, context: HandlerContext) => Promise<MessageInitShape<Output>>,
): UniversalHandler {
  const acceptCompression = [gzipCompression]
  // Unknown fields from newer runners would only take memory.
  const binaryOptions = { readUnknownFields: false }
  const limits = { acceptCompression, readMaxBytes, binaryOptions }
  const router = createConnectRouter({ grpc: false, grpcWeb: false, ...limits })
  const [handler] = router.rpc(desc, run as MethodImpl<typeof desc>).handlers
  if (!handler) throw new Error(`${desc.name} has no handler`)
  return handler
}

// Runners send protobuf. JSON of this size has about as many fields as a protobuf message may have.
const maxJsonBytes = 64 * 1024

const isJsonType = (contentType: string): boolean => /^application\/json\b/i.test(contentType)

function requireContentType({ supportedContentType }: UniversalHandler, { headers }: Call): void {
  if (supportedContentType(headers.get('content-type'))) return
  const message = 'the Content-Type must be application/proto or application/json'
  throw new RequestError(415, Code.InvalidArgument, message)
}

const readHeaders = [
  'content-type',
  'content-encoding',
  'accept-encoding',
  'connect-protocol-version',
  'connect-timeout-ms',
]

const headersOf = ({ headers }: Call): Headers =>
  new Headers(
    readHeaders.flatMap((name): [string, string][] => {
      const value = headers.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )

async function* chunksOf(body: Uint8Array): AsyncGenerator<Uint8Array> {
  yield body
}

async function answerOf({ status, header, body }: UniversalServerResponse): Promise<Answer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body ?? []) chunks.push(chunk)
  const { 'content-length': _, ...headers } = Object.fromEntries(header ?? [])
  return { status, headers: { ...commonHeaders, ...headers }, body: Buffer.concat(chunks) }
}
