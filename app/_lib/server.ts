import 'server-only'
import { headers } from 'next/headers'
import { notFound, redirect } from 'next/navigation'
import { cache } from 'react'
import { ZodError } from 'zod'
import { pageCaller } from '@/server/api/trpc/page-caller'
import { passwordPage } from '@/server/auth/acting-account'
import { keepPageText, maxPageText, pageTexts } from '@/server/code/pages/page-text'
import { isDomainError } from '@/server/kernel/errors'
import { nonceHeader, pathHeader } from '@/server/kernel/http/page-headers'
import { pageExchanges } from '@/server/kernel/page-exchange'
import type { Organization } from '@/server/orgs/schema'
import type { CurrentSession } from '@/server/sessions/schema'
import { type ListChoice, type ListSpec, readListChoice } from './list-choice'
import { idIn } from './paths'

/**
 * Returns the API procedures, called in this process as the visitor of the page that is being rendered. All
 * components of one page get the same object.
 */
export const caller = cache(pageCaller)

export const currentSession = cache(async () => (await caller()).sessions.getCurrent())
export const instanceStatus = cache(async () => (await caller()).instance.getStatus())
/** Returns the cursor from which a page that is rendered now follows live messages. */
export const liveCursor = cache(async () => (await caller()).live.getCursor())

/** Returns the viewer's organizations. Empty for people who must change their password first. */
export async function ownOrganizations(): Promise<Organization[]> {
  const session = await currentSession()
  if (!session || session.must_change_password) return []
  return (await (await caller()).orgs.listMemberships()).map(({ organization }) => organization)
}

/**
 * Returns the viewer's newest unread notifications, which the home page shows, and their number, which every page
 * shows. Undefined for visitors, and for people who must change their password first.
 */
export const unreadNotifications = cache(async () => {
  const session = await currentSession()
  if (!session || session.must_change_password) return undefined
  return await (await caller()).notifications.list({ unread_only: true, limit: 5 })
})

/**
 * Shows the not-found page if the procedure responds that something does not or cannot exist, and redirects to sign in
 * if the site reserves it for people who are signed in.
 */
export async function orNotFound<T>(answer: Promise<T>): Promise<T> {
  return await orInstead(answer, notFoundHere)
}

/** Returns undefined if the procedure responds that something does not or cannot exist. */
export async function orAbsent<T>(answer: Promise<T>): Promise<T | undefined> {
  return await orInstead(answer, async () => undefined)
}

async function orInstead<T, U>(answer: Promise<T>, instead: () => Promise<U>): Promise<T | U> {
  try {
    return await answer
  } catch (error) {
    if (saysAbsent(error)) return await instead()
    if (isReserved(error)) redirect(`/-/sign-in?reserved=1&next=${encodeURIComponent(await currentPath())}`)
    throw error
  }
}

/**
 * Gives the page that is being rendered the status 404, for one that says what is missing to people who can see what
 * is around it.
 */
export function markAbsent(): void {
  const exchange = pageExchanges.getStore()
  if (!exchange) notFound()
  // The router leaves a page whose data has another status than 200.
  exchange.isAbsent = !exchange.isData
}

// A page passes only values of its URL to the procedure, so invalid input is a name that can't exist.
const saysAbsent = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'NOT_FOUND' ||
    (error.code === 'BAD_REQUEST' && (error.cause instanceof ZodError || isDomainError(error.cause))))

const isReserved = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'UNAUTHORIZED'

/**
 * Redirects to the new path of something that was renamed. Otherwise works like `orNotFound`. `pathOf` gets
 * the new name, the input field it belongs in, such as `owner` or `repo`, and the repository's new name if a
 * new owner's repository may be named differently.
 */
export async function orMoved<T>(
  answer: Promise<T>,
  pathOf: (name: string, field: string, repo: string | undefined) => string,
): Promise<T> {
  const [outcome] = await Promise.allSettled([answer])
  const cause = outcome.status === 'rejected' && outcome.reason instanceof Error && outcome.reason.cause
  if (isDomainError(cause) && cause.movedTo) {
    const { name, repo } = cause.movedTo
    redirect(pathOf(name, cause.field ?? '', repo))
  }
  return await orNotFound(answer)
}

/** Returns the path and query of the page being rendered. */
export async function currentPath(): Promise<string> {
  return (await headers()).get(pathHeader) ?? '/'
}

/** Returns the nonce that scripts of the page being rendered need. */
export async function scriptNonce(): Promise<string | undefined> {
  return (await headers()).get(nonceHeader) ?? undefined
}

const formerPage = /^\/(orgs|new|admin|sign-in|register|setup)(?=[/?]|$)/

/**
 * Shows the not-found page. Redirects instead if the URL is one that a page had before every word below `/`
 * could be an account's name. An account of that name takes precedence, so the redirect must not be
 * permanent.
 */
async function notFoundHere(): Promise<never> {
  const path = await currentPath()
  if (formerPage.test(path)) redirect(`/-${path}`)
  notFound()
}

/** Redirects to the setup page until the first administrator exists. */
export async function requireSetUp(): Promise<void> {
  if ((await instanceStatus()).needs_setup) redirect('/-/setup')
}

/**
 * Returns the session. Redirects everyone else to sign in, and people with a temporary password to change it.
 */
export async function requireSession(): Promise<CurrentSession> {
  await requireSetUp()
  const [session, path] = await Promise.all([currentSession(), currentPath()])
  if (!session) redirect(`/-/sign-in?next=${encodeURIComponent(path)}`)
  if (session.must_change_password && !path.startsWith(passwordPage)) redirect(passwordPage)
  return session
}

/** Returns an administrator's session. Shows everyone else the not-found page. */
export async function requireAdmin(): Promise<CurrentSession> {
  const session = await requireSession()
  if (!session.user.is_admin) notFound()
  return session
}

export type SearchParams = Promise<Record<string, string | string[] | undefined>>

export async function textParam(params: SearchParams, name: string): Promise<string> {
  const value = (await params)[name]
  return (Array.isArray(value) ? value[0] : value) ?? ''
}

/** Returns the state of a list from the query parameters. */
export async function listChoiceIn<S extends ListSpec>(
  params: SearchParams,
  spec: S,
): Promise<ListChoice<S>> {
  const resolved = await params
  return readListChoice(spec, name => [resolved[name]].flat()[0])
}

/**
 * Returns the `cursor` parameter, the ID of the entry that a list continues after. Undefined for the start of
 * the list.
 */
export async function cursorParam(params: SearchParams): Promise<number | undefined> {
  return idIn(await textParam(params, 'cursor'))
}

/** Returns the `page` parameter, from 1. Invalid values mean the first page. */
export async function pageParam(params: SearchParams): Promise<number> {
  const page = Number(await textParam(params, 'page'))
  return Number.isSafeInteger(page) && page > 0 ? page : 1
}

/**
 * Returns the HTML of a text that a page shows, if the page is fetched as data. A document gets it while it is written
 * (`app/_features/code/page-text-island.tsx`), so that it contains the text once.
 */
export function textInData(key: string): string | undefined {
  return isDocument() ? undefined : pageTexts().get(key)
}

/** Returns whether the page is fetched as a document, and not as data for a page that is open already. */
export function isDocument(): boolean {
  const exchange = pageExchanges.getStore()
  return exchange !== undefined && !exchange.isData
}

/** Says that a page shows less than it will later, so that it is not kept for other visitors. */
export function renderedIncomplete(): void {
  const exchange = pageExchanges.getStore()
  if (exchange) exchange.isIncomplete = true
}

const textRoom = cache(() => ({ characters: maxPageText }))

/** Keeps the HTML of a text for `PageText`, and returns its key; undefined if this page has too much text already. */
export function keepText(html: string): string | undefined {
  const room = textRoom()
  if (html.length > room.characters) return undefined
  room.characters -= html.length
  return keepPageText(html)
}
