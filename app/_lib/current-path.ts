import { headers } from 'next/headers'
import { pathHeader } from './paths'
import 'server-only'
import { notFound, redirect } from 'next/navigation'

/** Path and query of the page being rendered. */
export async function currentPath(): Promise<string> {
  return (await headers()).get(pathHeader) ?? '/'
}

const formerPage = /^\/(orgs|new|admin|sign-in|register|setup)(?=[/?]|$)/

/**
 * Shows the not-found page; or leads on, where the address is one that a page had before every word below `/` could
 * be somebody's name. An account of that name comes first, so nothing may be permanent about it.
 */
export async function notFoundHere(): Promise<never> {
  const path = await currentPath()
  if (formerPage.test(path)) redirect(`/-${path}`)
  notFound()
}
