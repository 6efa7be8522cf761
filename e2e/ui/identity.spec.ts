import type { BrowserContext, Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { call, makePerson, password } from './people'
import { expect, signIn, test } from './site'

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDpaNVMhbNxsSEO3uFRkwCZmZXRYSKMgDc0IkLrRGqmF ada@laptop'

/** Opens another tab of the same browser, in which one person signs out and another signs in. */
async function changePerson(context: BrowserContext, site: string, login: string): Promise<void> {
  const tab = await context.newPage()
  await endSession(context)
  await signIn(context, site, login, password)
  await tab.goto(site)
  await tab.close()
}

const endSession = (context: BrowserContext): Promise<void> => context.clearCookies()

/**
 * Accepts every dialog that asks whether to leave a page, or dismisses it if `leave` is false. Counts the
 * dialogs.
 */
function answerQuestions(page: Page, leave: boolean): { asked: number } {
  const questions = { asked: 0 }
  page.on('dialog', async dialog => {
    questions.asked++
    await (leave ? dialog.accept() : dialog.dismiss())
  })
  return questions
}

test('a tab left open by one person cannot change the data of another person who signs in in another tab', async ({
  page,
  site,
  context,
}) => {
  const [ada, ben] = [await makePerson(site.url, 'ada'), await makePerson(site.url, 'ben')]
  await signIn(page, site.url, ada, password)
  await page.goto(`${site.url}/user/settings/keys?add=1`)
  await page.getByLabel('Public key', { exact: true }).fill(key)
  // The preview is shown, so nothing else is requested from the server while the person changes.
  await expect(page.getByText('SHA256:').first()).toBeVisible()
  await changePerson(context, site.url, ben)

  await page.getByRole('button', { name: 'Add SSH key' }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText(`You’re signed in as ${ben} in another tab`)
  await expectAccessible(page)
  expect(await call(site.url, 'GET', '/user/keys', undefined, ben)).toEqual([])
  await dialog.getByRole('button', { name: 'Keep this page' }).click()
  await expect(page.getByLabel('Public key', { exact: true })).toHaveValue(key)

  await page.getByRole('button', { name: 'Add SSH key' }).click()
  await dialog.getByRole('button', { name: `Reload as ${ben}` }).click()
  await expect(page.getByRole('button', { name: `Account menu for ${ben}` })).toBeVisible()
  await expect(page.getByLabel('Public key', { exact: true })).toHaveValue('')
  expect(await call(site.url, 'GET', '/user/keys', undefined, ben)).toEqual([])
})

test('typed text survives the end of the session, but only for the same person', async ({
  page,
  site,
  context,
}) => {
  const ada = await makePerson(site.url, 'ada')
  await signIn(page, site.url, ada, password)
  await page.goto(`${site.url}/user/settings/profile`)
  await page.getByLabel('About you').fill('Writes about engines.')
  await endSession(context)

  await page.getByRole('button', { name: 'Save profile' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your session ended' })
  await expect(dialog).toContainText(`signed in as ${ada}`)
  await expect(dialog.getByLabel('Password', { exact: true })).toBeFocused()
  await expectAccessible(page)
  await dialog.getByLabel('Password', { exact: true }).fill('not the password')
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(dialog).toContainText('Incorrect username or password.')
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(dialog).toHaveCount(0)

  await expect(page.getByLabel('About you')).toHaveValue('Writes about engines.')
  await page.getByRole('button', { name: 'Save profile' }).click()
  await expect(page.getByText('Profile saved')).toBeVisible()
  const settings = await call<{ description: string }>(site.url, 'GET', '/user/settings', undefined, ada)
  expect(settings.description).toBe('Writes about engines.')
  // The end of the former session's live updates is reported after three seconds.
  await page.waitForTimeout(3_200)
  await expect(dialog).toHaveCount(0)
})

test('signing in returns to the previous page, even if it was a not-found page', async ({ page, site }) => {
  const ada = await makePerson(site.url, 'ada')
  await call(site.url, 'POST', '/user/repos', { name: 'secret', private: true }, ada)
  const fill = async (): Promise<void> => {
    await page.getByLabel('Username or email address').fill(ada)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  await page.goto(`${site.url}/${ada}/secret?from=mail`)
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  await fill()
  await page.waitForURL(`${site.url}/${ada}/secret?from=mail`)
  await expect(page.getByRole('link', { name: 'secret' }).first()).toBeVisible()

  await page.context().clearCookies()
  await page.goto(`${site.url}/explore?q=engine`)
  await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click()
  await fill()
  await page.waitForURL(`${site.url}/explore?q=engine`)
})

test('the Back button asks before it discards typed text', async ({ page, site }) => {
  const ada = await makePerson(site.url, 'ada')
  await signIn(page, site.url, ada, password)
  await page.goto(`${site.url}/explore`)
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('menuitem', { name: 'New repository' }).click()
  await page.waitForURL(`${site.url}/-/new`)
  const questions = answerQuestions(page, false)
  await page.getByRole('textbox', { name: 'Name' }).fill('engine')
  for (const asked of [1, 2]) {
    await page.evaluate(() => window.history.back())
    await expect.poll(() => questions.asked).toBe(asked)
    await expect(page).toHaveURL(`${site.url}/-/new`)
    await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('engine')
  }
  page.removeAllListeners('dialog')
  answerQuestions(page, true)
  await page.evaluate(() => window.history.back())
  await expect(page).toHaveURL(`${site.url}/explore`)
  await expect(page.getByRole('heading', { name: 'Explore' })).toBeVisible()
})

test('the Back button closes a form opened on the page, and asks first if it contains anything', async ({
  page,
  site,
}) => {
  await signIn(page, site.url, await makePerson(site.url, 'ada'), password)
  await page.goto(`${site.url}/user/settings/keys`)
  await page.getByRole('button', { name: 'Add SSH key' }).click()
  await expect(page).toHaveURL(/\?add=1$/)
  const title = page.getByLabel('Title', { exact: true })
  await expect(title).toBeVisible()
  await page.goBack()
  await expect(title).toHaveCount(0)
  await expect(page).toHaveURL(`${site.url}/user/settings/keys`)

  await page.getByRole('button', { name: 'Add SSH key' }).click()
  await title.fill('laptop')
  const questions = answerQuestions(page, false)
  await page.evaluate(() => window.history.back())
  await expect.poll(() => questions.asked).toBe(1)
  await expect(title).toHaveValue('laptop')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(title).toHaveCount(0)
  await expect(page).toHaveURL(`${site.url}/user/settings/keys`)
  expect(questions.asked).toBe(1)
})

test('without JavaScript, people can sign in safely, see errors, sign out, and learn that other pages need JavaScript', async ({
  browser,
  site,
}) => {
  const ada = await makePerson(site.url, 'ada')
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  const send = async (secret: string): Promise<void> => {
    await page.getByLabel('Username or email address').fill(ada)
    await page.getByLabel('Password', { exact: true }).fill(secret)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  // Playwright's text locators find no text in a noscript element.
  const notice = page.locator('noscript p')
  await page.goto(`${site.url}/explore`)
  await expect(notice).toBeInViewport()
  await page.goto(`${site.url}/user/settings/tokens`)
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  await expect(notice).toHaveCount(0)
  await send('not the password')
  await expect(page.getByText('Incorrect username or password.')).toBeVisible()
  await send(password)
  await expect(page).toHaveURL(`${site.url}/user/settings/tokens`)
  await expect(notice).toBeInViewport()

  await page.goto(`${site.url}/user/logout`)
  await expect(notice).toHaveCount(0)
  await expect(page.getByText(`You are signed in as ${ada}.`)).toBeVisible()
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await expect(page).toHaveURL(`${site.url}/`)

  await page.goto(`${site.url}/-/sign-in?next=//evil.example/path`)
  await send(password)
  await expect(page).toHaveURL(`${site.url}/`)
  await expect(page.getByRole('heading', { name: 'Your repositories' })).toBeVisible()
  await context.close()
})

test('the sign-out page is accessible, and opening it does not sign anyone out', async ({ page, site }) => {
  const ada = await makePerson(site.url, 'ada')
  await signIn(page, site.url, ada, password)
  await page.goto(`${site.url}/user/logout`)
  await expect(page).toHaveURL(`${site.url}/-/sign-out`)
  await expectAccessible(page)
  await page.goto(`${site.url}/user/settings/profile`)
  await expect(page).toHaveURL(`${site.url}/user/settings/profile`)
  await page.goto(`${site.url}/-/sign-out`)
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await expect(page.getByRole('link', { name: 'Sign in' }).first()).toBeVisible()
})
