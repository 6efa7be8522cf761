import { isLive } from './live'
import { call, makePerson, password } from './people'
import { push, pushFiles } from './push'
import { expect, signIn, test } from './site'

const lines = (word: string): string =>
  Array.from({ length: 200 }, (_, index) => `${word} ${index + 1}\n`).join('')

test('open pages of a branch that moves keep what is read, and offer the new state', async ({
  context,
  site: { url },
}) => {
  test.slow()
  const owner = await makePerson(url, 'mover')
  await call(url, 'POST', '/user/repos', { name: 'moving', auto_init: true }, owner)
  const at = `/${owner}/moving`
  await pushFiles(url, at, owner, { 'docs/a.txt': lines('old'), 'docs/b.txt': 'b' })
  await push(url, at, owner, 'refs/tags/v1')
  await signIn(context, url, owner, password)
  const open = async (path: string) => {
    const page = await context.newPage()
    await page.goto(url + at + path)
    await isLive(page)
    return page
  }
  const [file, home, history, tag] = [
    await open('/src/branch/main/docs/a.txt'),
    await open(''),
    await open('/commits/branch/main'),
    await open('/src/tag/v1/docs/a.txt'),
  ]
  await file.evaluate(() => Object.assign(window, { isSame: true }))
  await file.locator('#L150').scrollIntoViewIfNeeded()
  const before = await file.evaluate(() => scrollY)
  expect(before).toBeGreaterThan(0)

  await pushFiles(url, at, owner, { 'docs/a.txt': lines('new'), 'c.txt': 'c' })
  const offerOn = (page: typeof file) => page.getByRole('status').filter({ hasText: 'main has new commits' })
  // A page is refreshed when it is shown.
  for (const page of [file, home, history]) {
    await page.bringToFront()
    await expect(offerOn(page), page.url()).toBeVisible()
  }
  await expect(file.locator('#L150')).toHaveText('old 150')
  expect(await file.evaluate(() => scrollY)).toBe(before)
  await expect(home.getByRole('table', { name: 'Files' }).getByRole('row', { name: 'c.txt' })).toHaveCount(0)
  await expect(history.getByRole('main').getByRole('link', { name: 'Change files' })).toHaveCount(1)

  // Other changes are shown at once.
  await home.bringToFront()
  await call(url, 'PATCH', `/repos/${owner}/moving`, { description: 'Moves along' }, owner)
  await expect(
    home.getByRole('main').getByText('Moves along').filter({ visible: true }).first(),
  ).toBeVisible()
  await expect(offerOn(home)).toBeVisible()

  for (const page of [file, home, history]) {
    await page.bringToFront()
    await offerOn(page).getByRole('button', { name: 'Show them' }).press('Enter')
    await expect(offerOn(page)).toHaveCount(0)
  }
  await expect(file.locator('#L150')).toHaveText('new 150')
  expect(await file.evaluate(() => scrollY)).toBe(before)
  expect(await file.evaluate(() => 'isSame' in window)).toBe(true)
  await expect(home.getByRole('table', { name: 'Files' }).getByRole('row', { name: 'c.txt' })).toBeVisible()
  await expect(history.getByRole('main').getByRole('link', { name: 'Change files' })).toHaveCount(2)
  await expect(tag.getByRole('status').filter({ hasText: 'main' })).toHaveCount(0)
})

test('an open page of a file says that its branch was deleted, and keeps the file', async ({
  page,
  site: { url },
}) => {
  const owner = await makePerson(url, 'remover')
  await call(url, 'POST', '/user/repos', { name: 'removing', auto_init: true }, owner)
  const at = `/${owner}/removing`
  await pushFiles(url, at, owner, { 'a.txt': 'old\n' })
  await push(url, at, owner, 'refs/heads/topic')
  await signIn(page, url, owner, password)
  await page.goto(`${url}${at}/src/branch/topic/a.txt`)
  await isLive(page)
  await call(url, 'DELETE', `/repos/${owner}/removing/branches/topic`, undefined, owner)
  const said = page.getByRole('status').filter({ hasText: 'The branch topic was deleted' })
  await expect(said).toBeVisible()
  await expect(page.locator('#L1')).toHaveText('old')
  await said.getByRole('link', { name: 'Go to the default branch' }).click()
  await expect(page).toHaveURL(url + at)
})
