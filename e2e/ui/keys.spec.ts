import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freshKey } from '../process/api'
import { admin } from '../process/guildhall'
import { expectAccessible } from './axe'
import { expect, signIn, test } from './site'

const run = promisify(execFile)

async function keyFromSshKeygen(comment: string): Promise<{ line: string; fingerprint: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'guildhall-key-'))
  const file = join(directory, 'id')
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', comment, '-f', file])
  const { stdout } = await run('ssh-keygen', ['-lf', `${file}.pub`])
  const line = (await readFile(`${file}.pub`, 'utf8')).trim()
  await rm(directory, { recursive: true })
  return { line, fingerprint: stdout.split(' ')[1] ?? '' }
}

test('a newcomer sets the site up, signs in again, adds a key, sees it, is refused a bad one and deletes it', async ({
  page,
  fresh,
}) => {
  await page.goto(fresh.url)
  await expect(page).toHaveURL(/\/-\/setup$/)
  await expectAccessible(page)
  await page.getByLabel('User name').fill('ada')
  await page.getByLabel('E-mail address').fill('ada@example.test')
  await page.getByLabel('Password', { exact: true }).fill('a long enough password')
  await page.getByRole('button', { name: 'Create administrator' }).click()
  await page.waitForURL(`${fresh.url}/`)
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Account menu of ada' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('link', { name: 'Sign in' }).first()).toBeVisible()
  await page.goto(`${fresh.url}/user/settings/keys`)
  await expect(page).toHaveURL(/\/-\/sign-in\?next=/)
  await page.getByLabel('User name or e-mail address').fill('ada')
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByText('That user name or password is not right.').first()).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill('a long enough password')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(/\/user\/settings\/keys/)
  await expect(page.getByText('ssh-keygen -t ed25519').first()).toBeVisible()
  await expectAccessible(page)

  const key = await keyFromSshKeygen('ada@laptop')
  await page
    .getByRole('button', { name: /add .*key/i })
    .first()
    .click()
  await page.getByLabel('Public key', { exact: true }).fill(key.line)
  await expect(page.getByText(key.fingerprint)).toBeVisible()
  await expect(page.getByLabel('Title')).toHaveValue('ada@laptop')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Add SSH key', exact: true }).click()
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'ada@laptop' })
  await expect(row).toContainText('Never used')
  await expect(row.getByText(key.fingerprint)).toBeVisible()
  await expectAccessible(page)

  await page
    .getByRole('button', { name: /add .*key/i })
    .first()
    .click()
  await page.getByLabel('Public key', { exact: true }).fill('ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIG nonsense')
  await expect(page.getByText(/Invalid key content/).first()).toBeVisible()
  await page.getByLabel('Public key', { exact: true }).fill(key.line)
  await page.getByLabel('Title').fill('again')
  await page.getByRole('button', { name: 'Add SSH key', exact: true }).click()
  await expect(page.getByText('This key is here already, as “ada@laptop”.')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()

  await row.getByRole('button', { name: 'Delete ada@laptop' }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('ada@laptop')
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: /delete/i }).click()
  await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: 'ada@laptop' })).toHaveCount(0)
  await expect(page.getByText('ssh-keygen -t ed25519').first()).toBeVisible()
})

test('a private key that is pasted never leaves the browser and is wiped from the form', async ({
  page,
  site,
}) => {
  await signIn(page, site.url, admin.name, admin.password)
  await page.goto(`${site.url}/user/settings/keys?add=1`)
  const sent: string[] = []
  page.on('request', request => sent.push(`${request.url()} ${request.postData() ?? ''}`))
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const field = page.getByLabel('Public key', { exact: true })
  await field.fill(pem)
  await expect(page.getByRole('alert').filter({ hasText: 'This is a private key' })).toBeVisible()
  await expect(field).toHaveValue('')
  await expectAccessible(page)
  await field.fill(freshKey().key)
  await expect(page.getByText(/SHA256:/).first()).toBeVisible()
  const secrets = pem.trim().split('\n').slice(1, -1)
  expect(secrets.join('')).toMatch(/^[\w+/=]{64}$/)
  for (const secret of [...secrets, 'PRIVATE']) {
    expect(sent.filter(text => text.includes(secret) || decodeURIComponent(text).includes(secret))).toEqual(
      [],
    )
  }
})
