import { admin } from '../process/guildhall'
import { expectAccessible } from './axe'
import { hold } from './hold'
import { call, makePerson, makeTeam, password } from './people'
import { expect, signIn, test } from './site'

test('two people who edit a repository keep each other’s changes and see conflicts', async ({
  page,
  site,
}) => {
  const ada = await makePerson(site.url, 'ada')
  await call(site.url, 'POST', '/user/repos', { name: 'engine', description: 'First' }, ada)
  const engine = `/repos/${ada}/engine`
  const now = () => call<{ description: string; website: string }>(site.url, 'GET', engine, undefined, ada)
  await signIn(page, site.url, ada, password)
  await page.goto(`${site.url}/${ada}/engine/settings`)
  const save = page.getByRole('button', { name: 'Save settings' })
  await expect(save).toBeDisabled()

  await call(site.url, 'PATCH', engine, { description: 'Of a colleague' }, ada)
  await page.getByLabel('Website (optional)').fill('https://engine.example')
  await save.click()
  await expect(page.getByText('Settings saved')).toBeVisible()
  expect(await now()).toMatchObject({ description: 'Of a colleague', website: 'https://engine.example' })
  await expect(page.getByLabel('Description (optional)')).toHaveValue('Of a colleague')
  await expect(save).toBeFocused()

  await page.getByLabel('Description (optional)').fill('Mine')
  await call(site.url, 'PATCH', engine, { description: 'Of a colleague again' }, ada)
  await save.click()
  const notice = page
    .getByRole('alert')
    .filter({ hasText: 'Someone else changed this while you were editing' })
  await expect(notice).toContainText('theirs is “Of a colleague again”, yours is “Mine”')
  await expectAccessible(page)
  expect((await now()).description).toBe('Of a colleague again')
  await save.click()
  await expect(notice).toHaveCount(0)
  await expect.poll(async () => (await now()).description).toBe('Mine')

  await page.getByLabel('Description (optional)').fill('Mine again')
  await call(site.url, 'PATCH', engine, { description: 'Theirs' }, ada)
  await save.click()
  await notice.getByRole('button', { name: 'Use theirs: Description' }).click()
  await expect(page.getByLabel('Description (optional)')).toHaveValue('Theirs')
  await expect(page.getByLabel('Description (optional)')).toBeFocused()
  await expect(save).toBeDisabled()
  expect((await now()).description).toBe('Theirs')

  await page.getByLabel('Description (optional)').fill('Mine at last')
  await call(site.url, 'PATCH', engine, { name: 'motor' }, ada)
  await save.click()
  await expect(page.getByText('This was renamed to “motor”.')).toBeVisible()
  await expect(page.getByLabel('Description (optional)')).toHaveValue('Mine at last')
})

test('saving a team’s description keeps the permissions that someone else has changed in the meantime', async ({
  page,
  site,
}) => {
  const owner = await makePerson(site.url, 'olga')
  const { org, team } = await makeTeam(site.url, owner)
  const address = `/teams/${team}`
  await call(site.url, 'PATCH', address, { permission: 'admin' }, owner)
  await signIn(page, site.url, owner, password)
  await page.goto(`${site.url}/-/orgs/${org}/teams/core/settings`)
  await call(site.url, 'PATCH', address, { permission: 'read', units: ['repo.code'] }, owner)
  await page.getByLabel('Description (optional)').fill('Builds the engine.')
  await page.getByRole('button', { name: 'Save team' }).click()
  await expect(page.getByText('Saved the team core')).toBeVisible()
  expect(await call(site.url, 'GET', address, undefined, owner)).toMatchObject({
    description: 'Builds the engine.',
    permission: 'read',
    units: ['repo.code'],
  })
})

test('saving something that someone else has deleted shows what was deleted', async ({ page, site }) => {
  const owner = await makePerson(site.url, 'rita')
  const other = await makePerson(site.url, 'sam')
  const { org, team } = await makeTeam(site.url, owner)
  await signIn(page, site.url, admin.name, admin.password)
  await page.goto(`${site.url}/-/orgs/${org}/teams/core/settings`)
  await page.getByLabel('Description (optional)').fill('Builds the engine.')
  await call(site.url, 'DELETE', `/teams/${team}`, undefined, owner)
  await page.getByRole('button', { name: 'Save team' }).click()
  await expect(page.getByText('This team was deleted')).toBeVisible()
  await expect(page.getByLabel('Description (optional)')).toHaveValue('Builds the engine.')

  page.on('dialog', dialog => dialog.accept())
  await page.goto(`${site.url}/-/admin/users/${other}`)
  // Without typed text, the page would react to the deletion before anything could be saved.
  await page.getByLabel('Full name (optional)').fill('Sam')
  await call(site.url, 'DELETE', `/admin/users/${other}`)
  await page.getByRole('button', { name: 'Save account' }).click()
  await expect(page.getByText(`There’s no account named ${other}.`)).toBeVisible()
})

test('text typed while a save is being processed and rendered is kept', async ({ page, site }) => {
  const ada = await makePerson(site.url, 'ada')
  await call(site.url, 'POST', '/user/repos', { name: 'engine', description: 'First' }, ada)
  await signIn(page, site.url, ada, password)
  await page.goto(`${site.url}/${ada}/engine/settings`)
  const description = page.getByLabel('Description (optional)')
  await description.fill('Mine')
  const answer = await hold(page, /repos\.save/)
  await page.getByRole('button', { name: 'Save settings' }).click()
  await answer.isAsked()
  // Types one more letter whenever React is about to render.
  await description.evaluate((field: HTMLTextAreaElement) => {
    const typing = { letters: 0, isOver: false }
    Object.assign(window, { typing })
    const { get, set } = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value') ?? {}
    const { postMessage } = MessagePort.prototype
    let isTyping = false
    MessagePort.prototype.postMessage = function (this: MessagePort, message: unknown) {
      if (!isTyping && !typing.isOver) {
        isTyping = true
        typing.letters++
        set?.call(field, `${get?.call(field)}x`)
        field.dispatchEvent(new Event('input', { bubbles: true }))
        isTyping = false
      }
      postMessage.call(this, message)
    }
  })
  await answer.release()
  await expect(page.getByText('Settings saved')).toBeVisible()
  const letters = await page.evaluate(() => {
    const { typing } = window as unknown as { typing: { letters: number; isOver: boolean } }
    typing.isOver = true
    return typing.letters
  })
  expect(letters).toBeGreaterThan(0)
  const text = `Mine${'x'.repeat(letters)}`
  await expect(description).toHaveValue(text)
  await page.getByRole('button', { name: 'Save settings' }).click()
  const now = () => call<{ description: string }>(site.url, 'GET', `/repos/${ada}/engine`, undefined, ada)
  await expect.poll(async () => (await now()).description).toBe(text)
})
