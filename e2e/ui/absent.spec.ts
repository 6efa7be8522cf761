import { call, makePerson, password } from './people'
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

test('a missing page of a repository keeps its header and says what is missing, with the status 404', async ({
  browser,
  site: { url },
}) => {
  const owner = await makePerson(url, 'otto')
  await call(url, 'POST', '/user/repos', { name: 'known', auto_init: true }, owner)
  const at = `/${owner}/known`
  const context = await browser.newContext()
  const said: [path: string, title: string][] = [
    ['/issues', 'Guildhall has no issue tracker'],
    ['/pulls', 'Guildhall has no pull requests'],
    ['/wiki/Home', 'Guildhall has no wikis'],
    ['/projects', 'Guildhall has no project boards'],
    ['/nonsense', 'Page not found'],
    ['/src/branch/none/a.txt', 'No branch has this name'],
    ['/src/branch/main/none.txt', 'No file or directory has this path'],
    ['/src/none', 'No branch, tag, or commit has this name'],
    ['/commits/tag/none', 'No tag has this name'],
    [`/commit/${'0'.repeat(40)}`, 'No commit has this ID'],
    ['/compare/main...none', 'One of these revisions doesn’t exist'],
  ]
  // Visitors get pages that may come from memory; the owner, ones of their own.
  for (const signedIn of [false, true]) {
    if (signedIn) await signIn(context, url, owner, password)
    for (const [path, title] of said) {
      const answer = await context.request.get(url + at + path)
      expect(answer.status(), path).toBe(404)
      const html = await answer.text()
      expect(html, path).toMatch(new RegExp(`<h2[^>]*>${title}</h2>`))
      expect(html, path).toContain('aria-label="Repository"')
    }
  }
  const page = await context.newPage()
  await page.goto(`${url}${at}/src/branch/main/none.txt`)
  await page.getByRole('main').getByRole('link', { name: 'Go to the root of main' }).click()
  await expect(page).toHaveURL(`${url}${at}/src/branch/main`)
  await context.close()
})

test('a missing page of a repository that somebody cannot see is that of one that does not exist', async ({
  browser,
  site: { url },
}) => {
  const [owner, stranger] = [await makePerson(url, 'pia'), await makePerson(url, 'stan')]
  await call(url, 'POST', '/user/repos', { name: 'private', private: true, auto_init: true }, owner)
  const context = await browser.newContext()
  const bytesOf = async (repo: string, path: string): Promise<[number, string]> => {
    const answer = await context.request.get(`${url}/${owner}/${repo}${path}`)
    // What each response has of its own. Some scripts are named early only if the page takes long.
    const text = (await answer.text())
      .replaceAll(repo, 'NAME')
      .replaceAll(/<script src="[^"]*"[^>]*><\/script>/g, '')
      .replaceAll(/nonce(?:=\\?"|\\?":\\?")[^"\\]+/g, 'nonce')
      .replaceAll(/[\da-f]+\.\d{13}\.\d+/g, 'cursor')
    return [answer.status(), text]
  }
  for (const signedIn of [false, true]) {
    if (signedIn) await signIn(context, url, stranger, password)
    for (const path of ['/issues', '/nonsense', '/src/branch/none', '/src/branch/main', '/commit/abcdef']) {
      const [status, hidden] = await bytesOf('private', path)
      expect(status, path).toBe(404)
      const [otherStatus, absent] = await bytesOf('missing', path)
      expect(otherStatus, path).toBe(404)
      expect(hidden === absent, path).toBe(true)
    }
  }
  await context.close()
})
