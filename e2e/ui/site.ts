import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import { copyServerDatabase } from '@/db/testing/server-template'
import {
  adminEnvironment,
  dataDirectory,
  type Guildhall,
  start,
  temporaryDirectory,
} from '../process/guildhall'

/**
 * `fresh` is a site without accounts. `site` has the administrator, sends webhooks to loopback addresses, and
 * shows an SSH address at which nothing listens. All files that a worker runs share both sites.
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
  await using data = await siteData()
  const guildhall = await start({ ...data.environment, ...environment })
  await use(guildhall)
  await guildhall.end('SIGTERM')
}

/** Settings of a site with an empty database, which is deleted when disposed. */
export interface SiteData extends AsyncDisposable {
  environment: { GUILDHALL_DATA_DIR: string; DATABASE_URL?: string }
}

/**
 * Creates the data of an empty site: on PostgreSQL if it is installed, because its queries take less time than
 * those of the embedded database, which `e2e/process` covers.
 */
export async function siteData(): Promise<SiteData> {
  const server = process.env.GUILDHALL_TEST_POSTGRES_URL
  const database = server ? await copyServerDatabase(server) : undefined
  const directory = await (database ? temporaryDirectory() : dataDirectory())
  return {
    environment: {
      GUILDHALL_DATA_DIR: directory.path,
      ...(database && { DATABASE_URL: database.url }),
    },
    async [Symbol.asyncDispose]() {
      await directory[Symbol.asyncDispose]()
      await database?.drop()
    },
  }
}

/**
 * Opens a URL like the address bar does, and returns the status of the response before the page is rendered.
 */
export async function statusOf(page: Page, url: string): Promise<number | undefined> {
  return (await page.goto(url, { waitUntil: 'commit' }))?.status()
}

/** Signs in with the same request as the form, without opening a page. */
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
