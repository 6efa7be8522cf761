import { test as base, expect, type Page } from '@playwright/test'
import { adminEnvironment, type Guildhall, start, temporaryDirectory } from '../process/guildhall'

/** `fresh` has no account yet; `site` has the administrator. Each file of tests gets its own. */
export const test = base.extend<object, { fresh: Guildhall; site: Guildhall }>({
  fresh: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads what a fixture needs from this pattern.
    async ({}, use) => serve({}, use),
    { scope: 'worker', timeout: 60_000 },
  ],
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: as above.
    async ({}, use) => serve(adminEnvironment, use),
    { scope: 'worker', timeout: 60_000 },
  ],
})
export { expect }

async function serve(
  environment: Record<string, string>,
  use: (guildhall: Guildhall) => Promise<void>,
): Promise<void> {
  await using directory = await temporaryDirectory()
  const guildhall = await start({ GUILDHALL_DATA_DIR: directory.path, ...environment })
  await use(guildhall)
  await guildhall.end('SIGTERM')
}

export async function signIn(page: Page, url: string, login: string, password: string): Promise<void> {
  await page.goto(`${url}/-/sign-in`)
  await page.getByLabel('User name or e-mail address').fill(login)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(at => at.pathname !== '/-/sign-in')
}
