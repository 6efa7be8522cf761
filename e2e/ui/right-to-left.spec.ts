import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator } from '@playwright/test'
import { gitOk } from '@/testing/git'
import { call, makePerson, password } from './people'
import { createRun } from './runs'
import { expect, signIn, test } from './site'

const arabic = 'مرحبا بالعالم'
const workflow = `name: ${arabic}\non: push\njobs:\n  build: {name: "${arabic}", runs-on: forge, steps: [{run: make}]}`

/** Returns the distance of a text from the left edge of its row or heading. */
async function gapOf(text: Locator): Promise<number> {
  await expect(text).toBeVisible()
  return await text.evaluate(it => {
    const range = document.createRange()
    range.selectNodeContents(it)
    const icon = it.closest('li, header, section')?.querySelector('svg')
    return range.getBoundingClientRect().left - (icon?.getBoundingClientRect().right ?? 0)
  })
}

/** Returns the distance of a text from the left edge of its paragraph. */
const indentOf = (text: Locator): Promise<number> =>
  text.evaluate(it => {
    const range = document.createRange()
    range.selectNodeContents(it)
    return range.getBoundingClientRect().left - (it.closest('p')?.getBoundingClientRect().left ?? 0)
  })

test('a right-to-left title remains next to its icon, and its number reads correctly', async ({
  page,
  site: { url },
}) => {
  const owner = await makePerson(url, 'rana')
  const description = `${arabic} 2`
  await call(url, 'POST', '/user/repos', { name: 'engine', auto_init: true, description }, owner)
  const run = await createRun(url, owner, `/${owner}/engine`, { workflow, title: arabic })
  const cwd = await mkdtemp(join(tmpdir(), 'guildhall-rtl-'))
  const authorization = `Basic ${Buffer.from(`${owner}:${password}`).toString('base64')}`
  try {
    await gitOk(['clone', '-q', `${url}/${owner}/engine.git`, '.'], { cwd, authorization })
    await gitOk(
      [
        '-c',
        'user.name=Rana',
        '-c',
        'user.email=r@example.test',
        'commit',
        '-q',
        '--allow-empty',
        '-m',
        arabic,
      ],
      { cwd },
    )
    await gitOk(['push', '-q', 'origin', 'HEAD:main'], { cwd, authorization })
  } finally {
    await rm(cwd, { recursive: true })
  }
  await signIn(page, url, owner, password)

  await page.goto(`${url}/${owner}/engine/actions`)
  expect(await gapOf(page.getByRole('heading', { name: arabic }).locator('bdi'))).toBeLessThan(40)
  await page.goto(`${url}/${owner}/engine/actions/runs/${run.id}`)
  const title = page.getByRole('heading', { name: arabic, level: 2 })
  expect(await gapOf(title.locator('bdi'))).toBeLessThan(40)
  const number = title.getByText('#1')
  const [box, text] = [await number.boundingBox(), await title.locator('bdi').boundingBox()]
  expect(box!.x).toBeGreaterThan(text!.x + text!.width - 1)
  await page.goto(`${url}/${owner}/engine/branches`)
  expect(await gapOf(page.getByText(arabic))).toBeLessThan(60)
  await page.goto(`${url}/${owner}/engine`)
  const newest = page.getByRole('region', { name: 'Latest commit' }).getByText(arabic)
  expect(await gapOf(newest)).toBeLessThan(60)
  await expect(page.getByText(description)).not.toHaveCount(0)
  for (const text of await page.getByText(description).all()) expect(await indentOf(text)).toBeLessThan(1)

  const names = [arabic, 'سلام']
  for (const name of names)
    await call(url, 'POST', `/users/${owner}/tokens`, { name, scopes: ['read:user'] }, owner)
  await page.goto(`${url}/user/settings/tokens`)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await page.getByRole('button', { name: 'Revoke 2 tokens' }).click()
  const listed = page.getByRole('alertdialog').locator('strong')
  const [first = 0, second = 0] = await listed.evaluate(it => {
    const text = it.firstChild!
    const range = document.createRange()
    return (text.textContent ?? '').split(', ').map((name, _, all) => {
      const at = text.textContent!.indexOf(name)
      range.setStart(text, at)
      range.setEnd(text, at + name.length)
      return all.length === 2 ? range.getBoundingClientRect().left : 0
    })
  })
  expect(second, 'the second name stands after the first').toBeGreaterThan(first)
})
