import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import { adminEnvironment, dataDirectory, type Guildhall, start } from '../process/guildhall'

/**
 * `fresh` has no account yet; `site` has the administrator, its webhooks send to loopback, and its pages name an address for
 * SSH, where nobody listens. All files that a worker runs share them.
 */
export const test = base.extend<object, { fresh: Guildhall; site: Guildhall }>({
  fresh: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads what a fixture needs from this pattern.
    async ({}, use) => serve({}, use),
    { scope: 'worker', timeout: 60_000 },
  ],
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: as above.
    async ({}, use) => serve({ ...adminEnvironment, ...ofSite }, use),
    { scope: 'worker', timeout: 60_000 },
  ],
})
export { expect }

const ofSite = { GUILDHALL_WEBHOOK_ALLOWED_HOSTS: 'loopback', GUILDHALL_SSH_PUBLIC_PORT: '2222' }

async function serve(
  environment: Record<string, string>,
  use: (guildhall: Guildhall) => Promise<void>,
): Promise<void> {
  await using directory = await dataDirectory()
  const guildhall = await start({ GUILDHALL_DATA_DIR: directory.path, ...environment })
  await use(guildhall)
  await guildhall.end('SIGTERM')
}

/** Asks for an address as the address bar does, and gives the status of its answer before the page is drawn. */
export async function statusOf(page: Page, url: string): Promise<number | undefined> {
  return (await page.goto(url, { waitUntil: 'commit' }))?.status()
}

/** Signs in as the form does, without drawing it or any other page. */
export async function signIn(
  { request }: Pick<BrowserContext, 'request'>,
  url: string,
  login: string,
  password: string,
): Promise<void> {
  const response = await request.post(`${url}/api/trpc/sessions.signIn`, {
    headers: { 'sec-fetch-site': 'same-origin', 'x-guildhall-viewer': 'nobody' },
    data: { login, password },
  })
  expect(response.ok(), await response.text()).toBe(true)
}
