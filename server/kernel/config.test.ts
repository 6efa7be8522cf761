import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, totalmem } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parseConfig, parseDataLocations, settingNames, unknownVariables } from './config'
import { ConfigError } from './config-error'
import { fileSettingOf, secretSettings } from './secret-files'

describe('the default settings', () => {
  it('listen only on the loopback interface, store data in the working directory and disable registration', () => {
    expect(parseConfig({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      baseUrl: 'http://localhost:3000',
      databaseUrl: undefined,
      dataDir: resolve('data'),
      storage: { kind: 'disk', directory: resolve('data/objects') },
      serveDirect: false,
      secretKey: undefined,
      registration: false,
      webhooks: true,
      webhookLogDays: 30,
      metrics: false,
      logLevel: 'info',
      firstAdmin: undefined,
      disabledFeatures: new Set(),
      externalDisabledFeatures: new Set(),
    })
  })

  it('also apply if the environment variables are empty', () => {
    const empty = { PORT: '', DATABASE_URL: '', GUILDHALL_SECRET_KEY: '', GUILDHALL_REGISTRATION: '' }
    expect(parseConfig(empty)).toMatchObject({ port: 3000, databaseUrl: undefined, registration: false })
  })

  it('use the port in the base URL', () => {
    expect(parseConfig({ PORT: '8080' }).baseUrl).toBe('http://localhost:8080')
  })
})

describe('valid settings', () => {
  it.each(['on', 'true', '1'])('turn registration and metrics on with "%s"', word => {
    expect(parseConfig({ GUILDHALL_REGISTRATION: word, GUILDHALL_METRICS: word })).toMatchObject({
      registration: true,
      metrics: true,
    })
  })

  it.each(['off', 'false', '0'])('turn registration off with "%s"', word => {
    expect(parseConfig({ GUILDHALL_REGISTRATION: word }).registration).toBe(false)
  })

  it('list features separated by commas', () => {
    const config = parseConfig({
      GUILDHALL_DISABLED_FEATURES: 'manage_ssh_keys',
      GUILDHALL_EXTERNAL_DISABLED_FEATURES: ' deletion , manage_mfa ,',
    })
    expect(config.disabledFeatures).toEqual(new Set(['manage_ssh_keys']))
    expect(config.externalDisabledFeatures).toEqual(new Set(['deletion', 'manage_mfa']))
  })

  it.each([
    ['https://forge.example.com', 'https://forge.example.com'],
    ['https://forge.example.com/', 'https://forge.example.com'],
    ['HTTPS://Forge.Example.COM:443', 'https://forge.example.com'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
  ])('read the base URL %s as the origin %s', (setting, origin) => {
    expect(parseConfig({ GUILDHALL_BASE_URL: setting }).baseUrl).toBe(origin)
  })

  it('list trusted proxies as IPv4 and IPv6 addresses and networks', () => {
    const { trustedProxies } = parseConfig({ GUILDHALL_TRUSTED_PROXIES: '10.0.0.0/8, ::1, 192.0.2.7' })
    expect(trustedProxies('10.1.2.3')).toBe(true)
    expect(trustedProxies('192.0.2.7')).toBe(true)
    expect(trustedProxies('192.0.2.8')).toBe(false)
    expect(trustedProxies('::1')).toBe(true)
  })

  it('allow webhooks only to the internet by default', () => {
    expect(parseConfig({}).webhookAllowedHosts.text).toBe('external')
    const allowed = parseConfig({ GUILDHALL_WEBHOOK_ALLOWED_HOSTS: 'external, *.corp.example' })
    expect(allowed.webhookAllowedHosts.text).toBe('external, *.corp.example')
  })

  it('configure an S3 bucket with its prefix as a folder', () => {
    const config = parseConfig({
      GUILDHALL_STORAGE: 's3',
      GUILDHALL_S3_ENDPOINT: 'https://minio.example.com',
      GUILDHALL_S3_BUCKET: 'files',
      GUILDHALL_S3_PREFIX: 'forge/objects',
      GUILDHALL_S3_ACCESS_KEY_ID: 'id',
      GUILDHALL_S3_SECRET_ACCESS_KEY: 'secret',
    })
    expect(config.storage).toEqual({
      kind: 's3',
      endpoint: 'https://minio.example.com',
      region: 'us-east-1',
      bucket: 'files',
      prefix: 'forge/objects/',
      credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
    })
  })

  it.each(['tenant:files', 'arn:aws:s3:us-east-1:123456789012:accesspoint/files'])(
    'accept a bucket name such as %s',
    bucket => {
      const { storage } = parseConfig({ GUILDHALL_STORAGE: 's3', GUILDHALL_S3_BUCKET: bucket })
      expect(storage).toMatchObject({ bucket })
    },
  )

  it("configure an Azure container, by default at Azure's own endpoint", () => {
    const config = parseConfig({
      GUILDHALL_STORAGE: 'azure',
      GUILDHALL_AZURE_ACCOUNT: 'forge',
      GUILDHALL_AZURE_ACCOUNT_KEY: 'a2V5',
      GUILDHALL_AZURE_CONTAINER: 'files',
    })
    expect(config.storage).toEqual({
      kind: 'azure',
      endpoint: 'https://forge.blob.core.windows.net',
      account: 'forge',
      accountKey: 'a2V5',
      container: 'files',
      prefix: '',
    })
  })

  it('limit the size of a push in MiB, to 4 GiB by default', () => {
    expect(parseConfig({}).maxPushBytes).toBe(4 * 1024 ** 3)
    expect(parseConfig({ GUILDHALL_MAX_PUSH_MIB: '5' }).maxPushBytes).toBe(5 * 1024 ** 2)
  })

  it('limit the memory for Git in MiB, to half of the available memory by default', () => {
    const { gitMemoryBytes } = parseConfig({})
    expect(gitMemoryBytes).toBeGreaterThanOrEqual(1024 ** 3)
    expect(gitMemoryBytes).toBeLessThanOrEqual(Math.max(1024 ** 3, totalmem() / 2))
    expect(parseConfig({ GUILDHALL_GIT_MEMORY_MIB: '1024' }).gitMemoryBytes).toBe(1024 * 1024 ** 2)
  })

  it('limit the number of repositories of an account, to 1000 by default', () => {
    expect(parseConfig({}).maxRepositories).toBe(1000)
    expect(parseConfig({ GUILDHALL_MAX_REPOSITORIES: '0' }).maxRepositories).toBe(0)
  })

  it('use the site’s host and SSH port in SSH clone URLs, unless a public host or port is set', () => {
    const of = (environment: Record<string, string>) => parseConfig(environment).sshAddress
    const origin = { GUILDHALL_BASE_URL: 'https://forge.example.com' }
    expect(of(origin)).toEqual({ user: 'git', host: 'forge.example.com', port: 2222 })
    const shown = { GUILDHALL_SSH_PUBLIC_HOST: 'ssh.example.com', GUILDHALL_SSH_PUBLIC_PORT: '22' }
    expect(of({ ...origin, ...shown, GUILDHALL_SSH_USER: 'forge' })).toEqual({
      user: 'forge',
      host: 'ssh.example.com',
      port: 22,
    })
    expect(of({ GUILDHALL_BASE_URL: 'http://[::1]:3000' })?.host).toBe('::1')
  })

  it('provide no SSH address if the SSH port is off, unless a public port is set', () => {
    const off = { GUILDHALL_SSH_PORT: 'off' }
    expect(parseConfig(off)).toMatchObject({ sshListen: undefined, sshAddress: undefined })
    const behind = parseConfig({ ...off, GUILDHALL_SSH_PUBLIC_PORT: '22' })
    expect(behind).toMatchObject({ sshListen: undefined, sshAddress: { port: 22 } })
  })

  it('place the OpenSSH socket in the data directory or at a path if it is enabled', () => {
    const of = (setting?: string) =>
      parseConfig({ GUILDHALL_DATA_DIR: '/srv/data', GUILDHALL_SSH_SOCKET: setting }).sshSocket
    expect(of()).toBeUndefined()
    expect(of('on')).toBe('/srv/data/ssh.sock')
    expect(of('/run/guildhall/ssh.sock')).toBe('/run/guildhall/ssh.sock')
  })

  it('configure the first administrator with three variables', () => {
    const environment = {
      GUILDHALL_ADMIN_USER: 'ada',
      GUILDHALL_ADMIN_PASSWORD: 'a good password',
      GUILDHALL_ADMIN_EMAIL: 'ada@example.com',
    }
    expect(parseConfig(environment).firstAdmin).toEqual({
      name: 'ada',
      password: 'a good password',
      email: 'ada@example.com',
    })
    const local = { ...environment, GUILDHALL_ADMIN_EMAIL: 'root@localhost' }
    expect(parseConfig(local).firstAdmin?.email).toBe('root@localhost')
    const { GUILDHALL_ADMIN_EMAIL: _, ...incomplete } = environment
    expect(() => parseConfig(incomplete)).toThrow(/GUILDHALL_ADMIN_EMAIL: set all three or none/)
  })
})

/**
 * Settings that accept any text, such as a name, an address, a file or a directory; errors in them only show
 * when they are used.
 */
const anyText = [
  'HOST',
  'GUILDHALL_DATA_DIR',
  'GUILDHALL_REPOSITORY_DIR',
  'GUILDHALL_STORAGE_DIR',
  'GUILDHALL_S3_SECRET_ACCESS_KEY',
  'GUILDHALL_SSH_HOST',
  'GUILDHALL_SSH_HOST_KEYS',
  'GUILDHALL_ADMIN_USER',
]

describe('an invalid setting', () => {
  const wrong: [name: string, value: string][] = [
    ['PORT', 'abc'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '3000.5'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['GUILDHALL_BASE_URL', 'forge.example.com'],
    ['GUILDHALL_BASE_URL', 'https://forge.example.com/path'],
    ['GUILDHALL_BASE_URL', 'https://user@forge.example.com'],
    ['GUILDHALL_BASE_URL', 'ftp://forge.example.com'],
    ['GUILDHALL_STORAGE', 'cloud'],
    ['GUILDHALL_S3_ENDPOINT', 'minio.example.com'],
    ['GUILDHALL_S3_PREFIX', '/objects'],
    ['GUILDHALL_AZURE_ACCOUNT_KEY', 'not base64!'],
    ['GUILDHALL_SERVE_DIRECT', 'maybe'],
    ['GUILDHALL_MAX_PUSH_MIB', '0'],
    ['GUILDHALL_MAX_PUSH_MIB', '4g'],
    ['GUILDHALL_GIT_MEMORY_MIB', '1023'],
    ['GUILDHALL_GIT_MEMORY_MIB', '2g'],
    ['GUILDHALL_MAX_REPOSITORIES', 'many'],
    ['GUILDHALL_MAX_REPOSITORIES', '-1'],
    ['GUILDHALL_SECRET_KEY', 'short'],
    ['GUILDHALL_REGISTRATION', 'yes please'],
    ['GUILDHALL_READ_ONLY', 'now'],
    ['GUILDHALL_EXPENSIVE_PAGES', 'nobody'],
    ['GUILDHALL_PROCESSES', '0'],
    ['GUILDHALL_PROCESSES', 'many'],
    ['GUILDHALL_SSH_SOCKET', 'ssh.sock'],
    ['GUILDHALL_DISABLED_FEATURES', 'manage_ssh_keys,everything'],
    ['GUILDHALL_EXTERNAL_DISABLED_FEATURES', 'MANAGE_SSH_KEYS'],
    ['GUILDHALL_METRICS', 'maybe'],
    ['GUILDHALL_LOG_LEVEL', 'loud'],
    ['GUILDHALL_TRUSTED_PROXIES', 'localhost'],
    ['GUILDHALL_TRUSTED_PROXIES', '10.0.0.0/33'],
    ['GUILDHALL_TRUSTED_PROXIES', '10.0.0.0/'],
    ['GUILDHALL_TRUSTED_PROXIES', '10.0.0.0/8/8'],
    ['GUILDHALL_WEBHOOK_ALLOWED_HOSTS', 'https://hooks.example.com'],
    ['GUILDHALL_WEBHOOK_ALLOWED_HOSTS', '10.0.0.0/33'],
    ['GUILDHALL_ADMIN_PASSWORD', 'short'],
    ['GUILDHALL_ADMIN_PASSWORD', 'p'.repeat(256)],
    ['GUILDHALL_ADMIN_EMAIL', 'nobody'],
    ['GUILDHALL_ADMIN_EMAIL', 'no body@example.com'],
    ['GUILDHALL_S3_REGION', 'us east'],
    ['GUILDHALL_S3_REGION', 'evil.example.com/'],
    ['GUILDHALL_S3_BUCKET', 'some/folder'],
    ['GUILDHALL_S3_BUCKET', '/files'],
    ['GUILDHALL_S3_BUCKET', 'my files'],
    ['GUILDHALL_S3_BUCKET', 'files\u0007'],
    ['GUILDHALL_S3_ACCESS_KEY_ID', 'an id'],
    ['GUILDHALL_AZURE_ENDPOINT', 'forge.blob.core.windows.net'],
    ['GUILDHALL_AZURE_ACCOUNT', 'Forge'],
    ['GUILDHALL_AZURE_ACCOUNT', 'evil.example.com/'],
    ['GUILDHALL_AZURE_CONTAINER', 'Files'],
    ['GUILDHALL_AZURE_CONTAINER', 'some/folder'],
    ['GUILDHALL_AZURE_PREFIX', 'a//b'],
    ['GUILDHALL_ATTACHMENTS', 'maybe'],
    ['GUILDHALL_RELEASE_MAX_BYTES', '2g'],
    ['GUILDHALL_RELEASE_ALLOWED_TYPES', 'zip'],
    ['GUILDHALL_ARTIFACT_BASE_URL', 'http://guildhall/x'],
    ['GUILDHALL_ACTIONS_URL', 'github.com'],
    ['GUILDHALL_ARTIFACT_RETENTION_DAYS', '0'],
    ['GUILDHALL_ARTIFACT_MAX_BYTES', '-2'],
    ['GUILDHALL_LOG_MAX_BYTES', 'all'],
    ['GUILDHALL_BACKUP_TO', 'ftp://example.com/backups'],
    ['GUILDHALL_BACKUP_TO', 's3://'],
    ['GUILDHALL_BACKUP_EVERY', '24'],
    ['GUILDHALL_BACKUP_EVERY', '0h'],
    ['GUILDHALL_BACKUP_KEEP', '0'],
    ['GUILDHALL_BACKUP_PASSPHRASE', 'short'],
    ['GUILDHALL_BACKUP_PUBLIC_KEY', 'age1notakey'],
    ['GUILDHALL_WEBHOOKS', 'maybe'],
    ['GUILDHALL_REQUIRE_ADMIN_SCOPE', 'maybe'],
    ['GUILDHALL_METRICS_TOKEN', 'short'],
    ['GUILDHALL_RUNNER_REGISTRATION_TOKEN', 'short'],
    ['GUILDHALL_WEBHOOK_LOG_DAYS', '10000'],
    ['GUILDHALL_SSH_PORT', 'on'],
    ['GUILDHALL_SSH_USER', 'two words'],
    ['GUILDHALL_SSH_PUBLIC_HOST', 'ssh://forge.example.com'],
    ['GUILDHALL_SSH_PUBLIC_PORT', '0'],
  ]

  it.each(wrong)('such as %s=%s is refused with a message that names the variable', (name, value) => {
    const parse = () => parseConfig({ [name]: value })
    expect(parse).toThrow(ConfigError)
    expect(parse).toThrow(new RegExp(`^${name}(\\.\\d+)?: expected`))
  })

  it('is covered by the table below for every setting that does not accept arbitrary text', () => {
    const tried = new Set([...wrong.map(([name]) => name), ...anyText, ...secretSettings.map(fileSettingOf)])
    expect([...tried].sort()).toEqual([...settingNames].sort())
  })

  it('is a number of several processes with the embedded database, which only one can use', () => {
    const several = { GUILDHALL_PROCESSES: '2' }
    expect(() => parseConfig(several)).toThrow(/^GUILDHALL_PROCESSES: only one process can use the embedded/)
    expect(() => parseConfig({ ...several, DATABASE_URL: 'postgres://localhost/forge' })).not.toThrow()
    for (const one of ['1', 'auto', '']) expect(() => parseConfig({ GUILDHALL_PROCESSES: one })).not.toThrow()
  })

  it('is the port for SSH if it is that for HTTP on the same host', () => {
    const same = { PORT: '3002', GUILDHALL_SSH_PORT: '3002' }
    expect(() => parseConfig(same)).toThrow('GUILDHALL_SSH_PORT: must differ from PORT')
    expect(() => parseConfig({ ...same, GUILDHALL_SSH_HOST: '192.0.2.1' })).not.toThrow()
  })

  it('is named on a line of its own if several settings are invalid', () => {
    const parse = () => parseConfig({ PORT: 'x', GUILDHALL_METRICS: 'x' })
    expect(parse).toThrow(/^PORT: .*\nGUILDHALL_METRICS: /)
  })

  it.each([
    ['s3', {}, 'GUILDHALL_S3_BUCKET'],
    ['s3', { GUILDHALL_S3_BUCKET: 'x', GUILDHALL_S3_ACCESS_KEY_ID: 'x' }, 'GUILDHALL_S3_SECRET_ACCESS_KEY'],
    ['azure', {}, 'GUILDHALL_AZURE_ACCOUNT'],
    ['azure', { GUILDHALL_AZURE_ACCOUNT: 'forge' }, 'GUILDHALL_AZURE_ACCOUNT_KEY'],
    [
      'azure',
      { GUILDHALL_AZURE_ACCOUNT: 'forge', GUILDHALL_AZURE_ACCOUNT_KEY: 'a2V5' },
      'GUILDHALL_AZURE_CONTAINER',
    ],
  ])(
    'is refused for storage of the kind %s with %j, with a message that names %s',
    (kind, variables, name) => {
      const parse = () => parseConfig({ GUILDHALL_STORAGE: kind, ...variables })
      expect(parse).toThrow(ConfigError)
      expect(parse).toThrow(name)
    },
  )

  it('is not quoted in the message if it is a secret', () => {
    const secrets = ['GUILDHALL_SECRET_KEY', 'GUILDHALL_ADMIN_PASSWORD', 'GUILDHALL_AZURE_ACCOUNT_KEY']
    for (const name of secrets) {
      expect(() => parseConfig({ [name]: 'hunter-2' })).not.toThrow(/hunter-2/)
    }
  })
})

it('unknownVariables returns the names of environment variables that start with GUILDHALL_ but are not settings', () => {
  const environment = {
    GUILDHALL_BASEURL: 'x',
    GUILDHALL_BASE_URL: 'x',
    GUILDHALL_TEST_MOUNT: 'x',
    PATH: 'x',
  }
  expect(unknownVariables(environment)).toEqual(['GUILDHALL_BASEURL'])
})

describe('a secret', () => {
  const fileWith = (content: string): string => {
    const path = join(mkdtempSync(join(tmpdir(), 'guildhall-config-')), 'secret')
    onTestFinished(() => rmSync(dirname(path), { recursive: true }))
    writeFileSync(path, content)
    return path
  }
  const token = 'a'.repeat(32)

  it('can be in a file, whose last line break does not count', () => {
    const path = fileWith(`${token}\n`)
    const config = parseConfig({
      GUILDHALL_RUNNER_REGISTRATION_TOKEN_FILE: path,
      GUILDHALL_SECRET_KEY_FILE: path,
      DATABASE_URL_FILE: fileWith('postgres://db/forge'),
    })
    expect([config.runnerRegistrationToken, config.secretKey]).toEqual([token, token])
    expect(config.databaseUrl).toBe('postgres://db/forge')
  })

  it.each(secretSettings)('such as %s can be set only once', name => {
    const environment = { [name]: token, [fileSettingOf(name)]: fileWith(token) }
    expect(() => parseConfig(environment)).toThrow(`${name} and ${name}_FILE: set only one of them`)
  })

  it('in a file is validated, and a file that cannot be read or is empty is named', () => {
    const at = (path: string) => () => parseConfig({ GUILDHALL_METRICS_TOKEN_FILE: path })
    expect(at(fileWith('short'))).toThrow('GUILDHALL_METRICS_TOKEN: expected at least 16 characters')
    expect(at('/nowhere/token')).toThrow('GUILDHALL_METRICS_TOKEN_FILE: cannot be read')
    expect(at(fileWith('\n'))).toThrow(/^GUILDHALL_METRICS_TOKEN_FILE: .* is empty$/)
  })

  it('that does not locate data is not read to find the data', () => {
    expect(parseDataLocations({ GUILDHALL_SECRET_KEY_FILE: '/nowhere' }).databaseUrl).toBeUndefined()
  })
})
