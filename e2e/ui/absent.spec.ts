import { makePerson, password } from './people'
import { expect, signIn, test } from './site'

const absent = [
  '/nobody-at-all',
  '/nobody-at-all/engine',
  '/no/such/page',
  '/-/orgs/none/teams',
  '/-/nothing',
]

test('a not-found page shows a heading and links even without JavaScript', async ({
  browser,
  site: { url },
}) => {
  const person = await makePerson(url, 'nora')
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  for (const path of absent) {
    const answer = await page.goto(`${url}${path}?q=1`)
    expect(answer?.status(), path).toBe(404)
    await expect(page, path).toHaveTitle('Page not found · Guildhall')
    const main = page.getByRole('main')
    await expect(main.getByRole('heading', { level: 1, name: 'Page not found' }), path).toBeVisible()
    const signInLink = main.getByRole('link', { name: 'Sign in' })
    const next = new URLSearchParams({ next: `${path}?q=1` })
    await expect(signInLink, path).toHaveAttribute('href', `/-/sign-in?${next}`)
  }
  await signIn(context, url, person, password)
  for (const path of [...absent, '/-/admin/users']) {
    expect((await page.goto(url + path))?.status(), path).toBe(404)
    await expect(page, path).toHaveTitle('Page not found · Guildhall')
    const main = page.getByRole('main')
    await expect(main.getByRole('heading', { level: 1, name: 'Page not found' }), path).toBeVisible()
    await expect(main.getByRole('link', { name: 'Go to the home page' }), path).toBeVisible()
    await expect(
      page.getByRole('banner').getByText(person).or(page.getByRole('banner').getByAltText(person)).first(),
      path,
    ).toBeAttached()
  }
  await context.close()
})

test('a not-found page hydrates without browser errors', async ({ page, site: { url } }) => {
  const complaints: string[] = []
  page.on('console', message => void (message.type() === 'error' && complaints.push(message.text())))
  page.on('pageerror', error => void complaints.push(String(error)))
  await page.goto(`${url}/no/such/page`, { waitUntil: 'networkidle' })
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Go to the home page' }).click()
  await expect(page).toHaveURL(`${url}/`)
  expect(complaints.filter(text => !text.includes('404'))).toEqual([])
})
