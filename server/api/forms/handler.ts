import { TRPCError } from '@trpc/server'
import { viewerName } from '@/server/auth/page-viewer'
import { requireOwnPage } from '@/server/auth/same-origin'
import { isDomainError } from '@/server/kernel/errors'
import type { Answer } from '@/server/kernel/http/call'
import { explainError } from '@/server/kernel/http/explain'
import { privateCaching, securityHeaders } from '@/server/kernel/http/security-headers.mjs'
import type { Logger } from '@/server/kernel/log'
import type { RequestCtx } from '@/server/trpc/init'
import type { Mount } from '../mount'
import { appRouter } from '../root'
import { sessionContext } from '../trpc/handler'

// Enough for a username, a password and a URL of some hundred characters each.
const maxBodyBytes = 16 * 1024

/**
 * Mount of `/-/forms/{name}`, for browsers without scripts. Each form calls the procedure that scripts would call, with the
 * same limits, and redirects to a page that shows the result. Failures that no page shows are plain text.
 */
export const formsMount: Mount = {
  name: 'forms',
  match: path => path.startsWith('/-/forms/'),
  refuse: (error, _, around) => explainToPerson(error, around),
  createHandler: services => async (call, connection) => {
    const { config, log } = services
    try {
      const submit = forms.get(call.path)
      if (!submit) return refuse(404, 'not found')
      if (call.method !== 'POST') return refuse(405, 'submit this form with POST', { Allow: 'POST' })
      requireOwnPage(call.headers, config.baseUrl)
      const fields = new URLSearchParams(new TextDecoder().decode(await call.body(maxBodyBytes)))
      const ctx = await sessionContext(services, call.headers, connection)
      return leadTo(await submit(ctx, fields), ctx)
    } catch (error) {
      return explainToPerson(error, { log, requestId: connection.requestId })
    }
  },
}

function explainToPerson(error: unknown, around: { log: Logger; requestId: string }): Answer {
  const { status, message, retryAfter } = explainError(error, around)
  return refuse(status, `${message}\nGo back, reload the page, and try again.`, retryAfter)
}

const forms = new Map([
  ['/-/forms/sign-in', signIn],
  ['/-/forms/sign-out', signOut],
])

/** Returns the page of the form, which redirects people who are signed in and shows others why they are not. */
async function signIn(ctx: RequestCtx, fields: URLSearchParams): Promise<string> {
  const next = fields.get('next') ?? ''
  // The next page would be opened by the person who is signed in already, whatever name and password were sent.
  if (ctx.caller.kind === 'user') return viewerChanged({ next })
  const page = new URLSearchParams({ next })
  const login = fields.get('login') ?? ''
  const password = fields.get('password') ?? ''
  try {
    await appRouter.createCaller(ctx).sessions.signIn({ login, password })
  } catch (error) {
    page.set('refused', refusalOf(error))
  }
  return `/-/sign-in?${page}`
}

/** Returns the page for a form that was rendered for another person: it says who is signed in now. */
const viewerChanged = (more: Record<string, string> = {}): string =>
  `/-/sign-out?${new URLSearchParams({ refused: 'viewerChanged', ...more })}`

// A code instead of the message, so that a link cannot make this site show any text.
function refusalOf(error: unknown): string {
  if (!(error instanceof TRPCError)) throw error
  if (isDomainError(error.cause) && refusals.has(error.cause.kind)) return error.cause.kind
  if (error.code === 'BAD_REQUEST') return 'invalid'
  throw error
}

const refusals = new Set<string>(['unauthenticated', 'forbidden', 'tooManyRequests'])

async function signOut(ctx: RequestCtx, fields: URLSearchParams): Promise<string> {
  if (ctx.caller.kind !== 'user') return '/'
  if (fields.get('viewer') !== viewerName(ctx.caller.user.id)) return viewerChanged()
  await appRouter.createCaller(ctx).sessions.signOut()
  return '/'
}

const headersOfAll = { ...securityHeaders, 'Cache-Control': privateCaching }

function leadTo(location: string, { out }: RequestCtx): Answer {
  return { status: 303, headers: { ...headersOfAll, Location: location, 'Set-Cookie': out.cookies } }
}

function refuse(status: number, message: string, headers: Record<string, string> = {}): Answer {
  const type = { 'Content-Type': 'text/plain; charset=utf-8' }
  return { status, headers: { ...headersOfAll, ...type, ...headers }, body: `${message}\n` }
}
