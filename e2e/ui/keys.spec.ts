import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findSshKeygen } from '../../testing/programs.mjs'
import { freshKey } from '../process/api'
import { admin } from '../process/guildhall'
import { expectAccessible } from './axe'
import { call, makePerson, password } from './people'
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

test('a new administrator sets up the site, signs in again, adds a key, sees an error for an invalid key, and deletes the key', async ({
  page,
  fresh,
}) => {
  test.skip((await findSshKeygen()) === undefined, 'ssh-keygen is not installed')
  await page.goto(fresh.url)
  await expect(page).toHaveURL(/\/-\/setup$/)
  await expect(page.getByRole('region', { name: 'Next steps' }).getByRole('listitem')).toHaveCount(4)
  await expectAccessible(page)
  await page.getByLabel('Username').fill('ada')
  await page.getByLabel('Email address').fill('ada@example.test')
  await page.getByLabel('Password', { exact: true }).fill('a long enough password')
  await page.getByRole('button', { name: 'Create administrator' }).click()
  await page.waitForURL(`${fresh.url}/`)
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Account menu for ada' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('link', { name: 'Sign in' }).first()).toBeVisible()
  await page.goto(`${fresh.url}/user/settings/keys`)
  await expect(page).toHaveURL(/\/-\/sign-in\?next=/)
  await page.getByLabel('Username or email address').fill('ada')
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByText('Incorrect username or password.').first()).toBeVisible()
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
  await expect(page.getByText('This key has already been added as “ada@laptop”.')).toBeVisible()
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

test('a pasted key gets its comment as title, and text that is not a key is rejected with an explanation', async ({
  page,
  site,
}) => {
  await signIn(page, site.url, admin.name, admin.password)
  await page.goto(`${site.url}/user/settings/keys?add=1`)
  const field = page.getByLabel('Public key', { exact: true })
  const add = page.getByRole('button', { name: 'Add SSH key', exact: true })
  const keys = page.getByRole('main').getByRole('listitem')

  await field.fill('hello')
  await add.click()
  await expect(page.getByText(/This isn’t an SSH public key\. .*starts with ssh-ed25519/)).toBeVisible()
  await field.fill(rsaKey(2048))
  await expect(
    page.getByText(
      'This RSA key has 2048 bits; at least 3072 are required. Create a new one with: ssh-keygen -t ed25519',
    ),
  ).toBeVisible()

  await field.fill(`${freshKey().key} ada@laptop`)
  await add.click()
  await expect(keys.filter({ hasText: 'ada@laptop' })).toHaveCount(1)

  // The title taken from a replaced key is not used for the next key.
  await page.goto(`${site.url}/user/settings/keys?add=1`)
  await field.fill(`${freshKey().key} ada@desk`)
  await expect(page.getByLabel('Title')).toHaveValue('ada@desk')
  await field.fill(`${freshKey().key} ada@phone`)
  await add.click()
  await expect(keys.filter({ hasText: 'ada@phone' })).toHaveCount(1)
  await expect(keys.filter({ hasText: 'ada@desk' })).toHaveCount(0)
})

function rsaKey(modulusLength: number): string {
  const { n, e } = generateKeyPairSync('rsa', { modulusLength }).publicKey.export({ format: 'jwk' })
  const field = (bytes: Uint8Array): Uint8Array[] => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    return [length, bytes]
  }
  const modulus = Buffer.concat([Buffer.alloc(1), Buffer.from(n ?? '', 'base64url')])
  const fields = [Buffer.from('ssh-rsa'), Buffer.from(e ?? '', 'base64url'), modulus]
  return `ssh-rsa ${Buffer.concat(fields.flatMap(field)).toString('base64')}`
}

test('a pasted private key never leaves the browser and is cleared from the form', async ({ page, site }) => {
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

test('the clone box remembers SSH, and links people without a key to the form for a new key, which can expire', async ({
  page,
  site,
}) => {
  const ada = await makePerson(site.url, 'ada')
  await call(site.url, 'POST', '/user/repos', { name: 'engine' }, ada)
  await signIn(page, site.url, ada, password)
  await page.goto(`${site.url}/${ada}/engine`)
  const overSsh = page.getByRole('button', { name: 'SSH', exact: true })
  await expect(page.getByText(`git clone http://localhost:`)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Create an access token' })).toBeVisible()
  await overSsh.click()
  const address = `ssh://git@localhost:2222/${ada}/engine.git`
  await expect(page.getByText(`git clone ${address}`)).toBeVisible()
  await expect(page.getByText(`git remote add origin ${address}`).first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'Create an access token' })).toHaveCount(0)
  await expectAccessible(page)
  const html = await (await page.request.get(`${site.url}/${ada}/engine`)).text()
  expect(html).toContain(`git clone ${address}`)

  await page.getByRole('link', { name: 'Add an SSH key' }).click()
  await page.getByLabel('Public key', { exact: true }).fill(`${freshKey().key} ada@laptop`)
  await page.getByLabel('Expiration', { exact: true }).selectOption('7')
  await page.getByRole('button', { name: 'Add SSH key', exact: true }).click()
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'ada@laptop' })
  await expect(row).toContainText('Expires soon')
  await expect(row).toContainText(/Expires in [67] days/)
  const trial = page.getByRole('region', { name: 'Test the key “ada@laptop”' })
  await expect(trial).toContainText('ssh -T -p 2222 git@localhost')
  await expect(trial).toContainText('Waiting for the key to be used…')
  await expectAccessible(page)
  await row.getByRole('button', { name: 'Delete ada@laptop' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('Open connections that use it are closed')
  await page.keyboard.press('Escape')

  await trial.getByRole('link', { name: 'server’s fingerprints' }).click()
  await expect(page.getByRole('heading', { name: 'Git over SSH' })).toBeVisible()
  await expect(page.getByText('ssh://git@localhost:2222/OWNER/NAME.git', { exact: true })).toBeVisible()
})

test("an account's owner and an administrator can revoke all of its keys, tokens, and sessions together", async ({
  page,
  site,
}) => {
  const ada = await makePerson(site.url, 'ada')
  await call(site.url, 'POST', '/user/keys', { title: 'laptop', key: freshKey().key }, ada)
  await signIn(page, site.url, ada, password)
  await page.goto(`${site.url}/user/settings/sessions`)
  const revoke = page.getByRole('button', { name: 'Revoke keys, tokens, and sessions' })
  const dialog = page.getByRole('alertdialog')
  const confirm = dialog.getByRole('button', { name: 'Revoke keys, tokens, and sessions' })
  await revoke.click()
  await expect(dialog).toContainText('1 SSH key will be deleted')
  await expect(dialog).toContainText('1 session will end.')
  await expect(confirm).toBeDisabled()
  const passwordField = dialog.getByLabel('Your password')
  await expect(passwordField).toBeFocused()
  await expect(dialog.getByRole('link', { name: 'runners' })).toBeVisible()
  await expectAccessible(page)
  await passwordField.fill('not the password')
  await confirm.click()
  await expect(dialog).toContainText('The current password is incorrect.')
  await expect(passwordField).toBeFocused()
  await expect(passwordField).toHaveAttribute('aria-invalid', 'true')
  await passwordField.fill(password)
  await confirm.click()
  await page.waitForURL(/\/-\/sign-in\?/)
  await expect(page.getByText('You were signed out everywhere')).toBeVisible()
  await expectAccessible(page)
  expect(await call(site.url, 'GET', `/users/${ada}/keys`)).toEqual([])

  await call(site.url, 'POST', '/user/keys', { title: 'desk', key: freshKey().key }, ada)
  await signIn(page, site.url, admin.name, admin.password)
  await page.goto(`${site.url}/-/admin/users/${ada}`)
  await revoke.click()
  await expect(dialog).toContainText('1 SSH key will be deleted')
  await confirm.click()
  await expect(page.getByText(`Revoked all of ${ada}’s keys, tokens, and sessions`)).toBeVisible()
  expect(await call(site.url, 'GET', `/users/${ada}/keys`)).toEqual([])
})
