import { authenticateAnyone } from '@/server/auth/authenticate'
import { viewerHeader } from '@/server/auth/page-viewer'
import { requireScope } from '@/server/auth/require-scope'
import { requireViewer } from '@/server/auth/require-viewer'
import { requireOwnPage } from '@/server/auth/same-origin'
import type { UserCaller } from '@/server/kernel/caller'
import type { UserCtx } from '@/server/kernel/ctx'
import { notFound, unauthenticated } from '@/server/kernel/errors'
import type { Answer, Call, Connection } from '@/server/kernel/http/call'
import { securityHeaders } from '@/server/kernel/http/security-headers.mjs'
import { newObjectKey } from '@/server/kernel/storage/key'
import { loadUpload } from '@/server/releases/uploads/load'
import { UploadBusy } from '@/server/releases/uploads/lock'
import { requestContext, type Services } from '@/server/services'
import { isBelow, type Mount } from '../mount'
import { errorAnswer, presentError } from '../rest/presenter'

const path = '/api/uploads'

// Loaded by the first upload.
const loadTus = () => import('./tus-exchange')

/** Mount of `/api/uploads`: resumable uploads of release files with the tus protocol 1.0.0. */
export const uploadsMount: Mount = {
  name: 'uploads',
  match: asked => isBelow(asked, path),
  pacesBody: () => true,
  refuse: (error, _, around) => withHeaders(refuse(error, around, around)),
  createHandler: services => async (call, connection) =>
    withHeaders(
      await answerCall(services, call, connection).catch(error => refuse(error, services, connection)),
    ),
}

const withHeaders = (answer: Answer): Answer => ({ ...answer, headers: { ...answer.headers, ...always } })

const always = { ...securityHeaders, 'Tus-Resumable': '1.0.0', 'Cache-Control': 'no-store' }

async function answerCall(services: Services, call: Call, connection: Connection): Promise<Answer> {
  const id = /^\/api\/uploads(?:\/([0-9a-f]{32}))?\/?$/.exec(call.path)
  if (!id) throw notFound()
  if (call.method === 'OPTIONS') return await capabilities(services)
  const methods = id[1] ? ['HEAD', 'PATCH', 'DELETE'] : ['POST']
  if (!methods.includes(call.method)) {
    const Allow = ['OPTIONS', ...methods].join(', ')
    return errorAnswer(
      405,
      `The method ${call.method} is not allowed here; use ${Allow}.`,
      services.config.baseUrl,
      {
        Allow,
      },
    )
  }
  const ctx = await contextOf(services, call, connection)
  // Checked before the headers, so that other people's uploads are not revealed.
  if (id[1]) await loadUpload(ctx, id[1])
  return await exchange(ctx, call)
}

async function capabilities({ config }: Services): Promise<Answer> {
  const { extensions } = await loadTus()
  const headers: Record<string, string> = { 'Tus-Version': '1.0.0', 'Tus-Extension': extensions.join() }
  if (Number.isFinite(config.releaseMaxBytes)) headers['Tus-Max-Size'] = String(config.releaseMaxBytes)
  return { status: 204, headers }
}

/** Authenticates the caller: our own pages by session, programs by token or password. */
async function contextOf(
  services: Services,
  { headers, method }: Call,
  connection: Connection,
): Promise<UserCtx> {
  const base = requestContext(services, connection)
  const presented = { authorization: headers.get('authorization'), cookie: headers.get('cookie') }
  const caller = await authenticateAnyone(base, presented)
  requireScope(caller, { level: 'write', categories: ['repository'] })
  if (caller.kind !== 'user') throw unauthenticated()
  if (caller.credential.kind === 'session' && method !== 'HEAD')
    requireOwnTab(headers, caller, base.config.baseUrl)
  return { ...base, caller }
}

function requireOwnTab(headers: Call['headers'], caller: UserCaller, baseUrl: string): void {
  requireOwnPage(headers, baseUrl)
  requireViewer(caller, headers.get(viewerHeader))
}

const read = [
  'tus-resumable',
  'content-type',
  'content-length',
  'upload-length',
  'upload-defer-length',
  'upload-metadata',
  'upload-offset',
  'upload-concat',
]

async function exchange(ctx: UserCtx, call: Call): Promise<Answer> {
  const { Server, TusExchange } = await loadTus()
  const datastore = new TusExchange(ctx, call)
  let failure: unknown
  const server = new Server({
    path,
    datastore,
    locker: datastore,
    relativeLocation: true,
    allowedOrigins: () => false,
    namingFunction: newObjectKey,
    onResponseError(_, error) {
      // The library's own failures are not instances of Error, but responses to send.
      if (error instanceof Error) failure = error
      return undefined
    },
  })
  const headers = new Headers()
  for (const name of read) {
    const value = call.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  const response = await server.handleWeb(
    new Request(`http://localhost${call.path}`, { method: call.method, headers }),
  )
  if (failure !== undefined) throw failure
  if (response.status >= 400)
    return errorAnswer(response.status, (await response.text()).trim(), ctx.config.baseUrl)
  const became = datastore.attachmentId
  return {
    status: response.status,
    headers: {
      ...picked(response.headers),
      ...(became === undefined ? {} : { 'Guildhall-Attachment-Id': String(became) }),
    },
  }
}

const answered = ['location', 'upload-offset', 'upload-length', 'upload-expires', 'upload-metadata']

const picked = (headers: Headers): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => answered.includes(name)))

function refuse(error: unknown, { config, log }: Services, { requestId }: Connection): Answer {
  if (error instanceof UploadBusy)
    return errorAnswer(423, error.message, config.baseUrl, { 'Retry-After': '1' })
  return presentError(error, { baseUrl: config.baseUrl, log, requestId })
}
