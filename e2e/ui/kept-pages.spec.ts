import { call, makePerson, password } from './people'
import { expect, signIn, test } from './site'

test('a page that was kept works for the next visitor, who is not seen by others after signing in', async ({
  browser,
  site: { url },
}) => {
  const owner = await makePerson(url, 'keeper')
  await call(url, 'POST', '/user/repos', { name: 'tool', auto_init: true }, owner)
  const tags: (string | undefined)[] = []
  for (const visit of ['first', 'second', 'signed in', 'third']) {
    const context = await browser.newContext()
    if (visit === 'signed in') await signIn(context, url, owner, password)
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', message => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    page.on('pageerror', error => complaints.push(error.message))
    const answer = await page.goto(`${url}/${owner}/tool`)
    tags.push(answer?.headers().etag)
    const search = page.getByRole('button', { name: 'Search', exact: true })
    await expect(search).toHaveAttribute('aria-keyshortcuts', /K/)
    await search.click()
    await expect(page.getByRole('combobox', { name: 'Search', exact: true })).toBeFocused()
    expect(complaints, visit).toEqual([])
    await context.close()
  }
  const [first] = tags
  expect(first).toMatch(/^W\//)
  expect(tags).toEqual([first, first, undefined, first])
})
