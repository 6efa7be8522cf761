import type { Locator, Page } from '@playwright/test'
import { isLive } from './live'
import { call, makePerson, makeTeam, password } from './people'
import { pushFiles } from './push'
import { expect, signIn, test } from './site'

/** Returns a screenshot of the element while the pointer is elsewhere. */
async function pictureOf(page: Page, what: Locator): Promise<string> {
  await what.scrollIntoViewIfNeeded()
  await page.mouse.move(0, 0)
  return (await what.screenshot({ animations: 'disabled' })).toString('base64')
}

test('with forced colors, selected controls look different from unselected ones', async ({
  page,
  site: { url },
}) => {
  const owner = await makePerson(url, 'fay')
  const { org } = await makeTeam(url, owner)
  await call(url, 'POST', '/user/repos', { name: 'blank' }, owner)
  await signIn(page, url, owner, password)
  await page.emulateMedia({ forcedColors: 'active' })

  // The radio buttons of a team's permissions.
  await page.goto(`${url}/-/orgs/${org}/teams/core/permissions`)
  const radio = page.getByRole('radio', { checked: true }).first()
  const name = await radio.getAttribute('name')
  const other = page.locator(`input[type=radio][name="${name}"]:not(:checked)`).first()
  await expect(radio).toBeVisible()
  expect(await pictureOf(page, radio)).not.toBe(await pictureOf(page, other))

  // Checkboxes.
  await page.goto(`${url}/-/orgs/${org}/teams/new`)
  const box = page.getByRole('checkbox').first()
  const clear = await pictureOf(page, box)
  await box.check()
  await box.blur()
  expect(await pictureOf(page, box)).not.toBe(clear)

  // Toggle buttons, and icons, which have the color of the text.
  await page.goto(`${url}/${owner}/blank`)
  await isLive(page)
  const colorOf = (what: Locator) => what.evaluate(it => getComputedStyle(it).color)
  expect(await colorOf(page.locator('main svg').first())).toBe(await colorOf(page.locator('main p').first()))
  const ways = page.getByRole('group', { name: 'Clone protocol' })
  const ssh = ways.getByRole('button', { name: 'SSH' })
  const before = await pictureOf(page, ssh)
  await ssh.click()
  await ssh.blur()
  await expect(ssh).toHaveAttribute('aria-pressed', 'true')
  expect(await pictureOf(page, ssh)).not.toBe(before)

  // The search result that Enter would open.
  await page.keyboard.press('/')
  const option = page.getByRole('option').first()
  await page.getByRole('combobox').fill('blank')
  await expect(option).toHaveAttribute('aria-selected', 'true')
  expect(await option.evaluate(it => getComputedStyle(it).outlineStyle)).toBe('solid')
})

test('with forced colors, code has the color of text, and its changes and marked lines look different', async ({
  page,
  site: { url },
}) => {
  const owner = await makePerson(url, 'flo')
  await call(url, 'POST', '/user/repos', { name: 'code', auto_init: true }, owner)
  const at = `/${owner}/code`
  await pushFiles(url, at, owner, { 'a.ts': 'const one = 1\nconst two = 2\nconst one = 1\n' })
  await pushFiles(url, at, owner, { 'a.ts': 'const one = 7\nconst two = 2\nconst one = 1\n' })
  await page.emulateMedia({ forcedColors: 'active' })

  await page.goto(`${url}${at}/src/branch/main/a.ts#L1`)
  const colors = await page
    .locator('#L2, #L2 *')
    .evaluateAll(all => all.map(it => getComputedStyle(it).color))
  expect(new Set(colors).size).toBe(1)
  const lineOf = (number: number) => page.locator(`#L${number}`)
  await expect(lineOf(1)).toHaveAttribute('data-on')
  expect(await lineOf(1).evaluate(it => getComputedStyle(it).outlineStyle)).toBe('solid')

  await page.goto(`${url}${at}/commit/main`)
  const table = page.getByRole('table', { name: 'Changes of a.ts' })
  const signs = await table
    .locator('td[data-kind]')
    .filter({ hasText: 'const one' })
    .evaluateAll(all => all.map(it => getComputedStyle(it, '::before').content[1]))
  expect(signs).toEqual(['-', '+'])
  const mark = table.locator('td[data-kind="+"] span')
  expect(await mark.evaluate(it => getComputedStyle(it).textDecorationLine)).toBe('underline')
})
