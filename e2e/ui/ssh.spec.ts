import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { git, gitOk } from '@/testing/git'
import { freePort } from '@/testing/ports'
import { generateKey, hasSsh, runProgram, sshOptions } from '@/testing/ssh'
import { adminEnvironment, dataDirectory, start, temporaryDirectory } from '../process/guildhall'
import { expectAccessible } from './axe'
import { call, makePerson, password } from './people'
import { expect, signIn, test } from './site'

test('a person adds a key, pushes over SSH by following the instructions, and sees that the key works, while a deploy key can only read', async ({
  page,
}) => {
  test.skip(!hasSsh, 'ssh is not installed')
  await using holder = await dataDirectory()
  await using work = await temporaryDirectory()
  const sshPort = await freePort()
  const environment = { GUILDHALL_DATA_DIR: holder.path, GUILDHALL_SSH_PORT: String(sshPort) }
  const guildhall = await start({ ...environment, ...adminEnvironment })
  const { url } = guildhall
  const ada = await makePerson(url, 'ada')
  await call(url, 'POST', '/user/repos', { name: 'engine' }, ada)
  await signIn(page, url, ada, password)

  const { file, publicKey } = await generateKey(work.path)
  await page.goto(`${url}/user/settings/keys?add=1`)
  await page.getByLabel('Public key', { exact: true }).fill(publicKey)
  await page.getByLabel('Title').fill('laptop')
  // The details of the key appear above the button and move it down.
  await expect(page.getByText('Ed25519, 256 bits')).toBeVisible()
  await page.getByRole('button', { name: 'Add SSH key', exact: true }).click()
  const trial = page.getByRole('region', { name: 'Test the key “laptop”' })
  await expect(trial).toContainText(`ssh -T -p ${sshPort} git@localhost`)
  await expect(trial).toContainText('Waiting for the key to be used…')

  // Another tab shows the repository, whose page has the URL to copy.
  const home = await page.context().newPage()
  await home.goto(`${url}/${ada}/engine`)
  await home.getByRole('button', { name: 'SSH', exact: true }).click()
  const address = `ssh://git@localhost:${sshPort}/${ada}/engine.git`
  await expect(home.getByText(`git clone ${address}`)).toBeVisible()
  await home.close()

  const cwd = join(work.path, 'engine')
  await gitOk(['init', '-q', '-b', 'main', cwd])
  await writeFile(join(cwd, 'README.md'), '# Engine\n')
  await gitOk(['add', '.'], { cwd })
  await gitOk(['commit', '-q', '-m', 'First'], { cwd })
  const withKey = (key: string) => ({ 'core.sshCommand': ['ssh', ...sshOptions(key, sshPort)].join(' ') })
  await gitOk(['push', '-q', address, 'main'], { cwd, settings: withKey(file) })

  await expect(trial).toContainText('The key works.')
  await expect(trial).toContainText('from 127.0.0.1')
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'laptop' })
  await expect(row).toContainText('Last used')

  await page.getByRole('link', { name: 'fingerprints' }).first().click()
  const hostKey = join(holder.path, 'ssh', 'ssh_host_ed25519_key.pub')
  const { stdout } = await runProgram('ssh-keygen', ['-lf', hostKey])
  await expect(page.getByText(stdout.split(' ')[1] ?? '', { exact: true })).toBeVisible()
  await expect(page.getByText(`[localhost]:${sshPort} ssh-ed25519 `)).toBeVisible()
  await expectAccessible(page)

  const deploy = await generateKey(work.path)
  await page.goto(`${url}/${ada}/engine/settings/keys?add=1`)
  await page.getByLabel('Public key', { exact: true }).fill(deploy.publicKey)
  await page.getByLabel('Title').fill('ci')
  await page.getByRole('button', { name: 'Add deploy key', exact: true }).click()
  const deployRow = page.getByRole('main').getByRole('listitem').filter({ hasText: 'ci' })
  await expect(deployRow).toContainText('Read only')
  await expect(deployRow).toContainText('Never used')
  const settings = withKey(deploy.file)
  await gitOk(['ls-remote', address], { settings })
  await expect(deployRow).toContainText('Last used')
  const refused = await git(['push', address, 'main:other'], { cwd, settings })
  expect(refused.code).not.toBe(0)
  expect(refused.stderr).toContain('Guildhall: This deploy key is read-only.')
  await guildhall.end('SIGTERM')
})
