import { type ErrorDetails, invalid, unprocessable } from '@/server/kernel/errors'
import { readAddress } from './address'
import { telegramUrlProblem } from './formats/telegram'
import { type HookType, hookTypes } from './schema'
import { secretProblem } from './secret'

type Config = Readonly<Record<string, string>>

/** Settings of a webhook, parsed and validated from the `config` object of an API request. */
export interface HookConfig {
  url: string
  target: string
  contentType: 'json' | 'form'
  /** Secret that signs the requests; empty if the webhook has none. */
  secret: string
  options: HookOptions
}

/** Settings of a webhook type in addition to the URL, by their names in `config`. */
export type HookOptions = Record<string, string>

/** Names of the `config` fields of Slack webhooks besides the URL. Only `channel` is required. */
export const slackOptions = ['channel', 'username', 'icon_url', 'color'] as const

/**
 * Returns the webhook type with this name.
 * @throws {DomainError} unprocessable if there is no such type.
 */
export function readType(word: string): HookType {
  const type = hookTypes.find(known => known === word)
  if (!type) throw unprocessable(`Invalid hook type: ${word}`, { field: 'type' })
  return type
}

/**
 * Validates the `config` of a new webhook.
 * @throws {DomainError} unprocessable for missing or invalid fields, in the order that the REST contract
 * prescribes; invalid if the Slack channel is invalid.
 */
export function readNewConfig(type: HookType, config: Config): HookConfig & { isSystem: boolean } {
  for (const key of ['url', 'content_type']) requireKey(config, key)
  const contentType = readContentType(config.content_type ?? '')
  const address = readUrl(type, config.url ?? '')
  const isSystem = readFlag(config.is_system_webhook ?? '')
  if (type === 'slack') requireKey(config, 'channel')
  const options = readOptions(type, config)
  const secret = readSecret(config.secret ?? '')
  const none = type === 'slack' ? Object.fromEntries(slackOptions.map(key => [key, ''])) : {}
  return { ...address, contentType, secret, isSystem, options: { ...none, ...options } }
}

/**
 * Validates the `config` of a webhook update. Absent fields stay unchanged.
 * @throws {DomainError} unprocessable for invalid fields; invalid if the Slack channel is invalid.
 */
export function readChangedConfig(type: HookType, config: Config): Partial<HookConfig> {
  return {
    ...(config.url === undefined ? {} : readUrl(type, config.url)),
    ...(config.content_type === undefined ? {} : { contentType: readContentType(config.content_type) }),
    ...(config.secret === undefined ? {} : { secret: readSecret(config.secret) }),
    options: readOptions(type, config),
  }
}

const refused = (field: string, problem: string): ErrorDetails => ({
  field,
  reason: { code: 'notAccepted', problem },
})

function requireKey(config: Config, key: string): void {
  if (config[key] === undefined) throw unprocessable(`Missing config option: ${key}`, { field: key })
}

function readContentType(word: string): HookConfig['contentType'] {
  if (word === 'json' || word === 'form') return word
  throw unprocessable('Invalid content type', refused('content_type', 'it must be json or form'))
}

const wholeAddress = 'it must be a complete http or https URL, such as https://ci.example.com/hook'

function readUrl(type: HookType, text: string): Pick<HookConfig, 'url' | 'target'> {
  const url = text.trim()
  const { target, problem = type === 'telegram' && target ? telegramUrlProblem(url) : undefined } =
    readAddress(url)
  if (target !== undefined && problem === undefined) return { url, target }
  const message = problem ? `Invalid url: ${problem}` : 'Invalid url'
  throw unprocessable(message, refused('url', problem ?? wholeAddress))
}

function readSecret(secret: string): string {
  const problem = secretProblem(secret)
  if (problem) throw unprocessable(`config.secret: ${problem}`, { field: 'secret' })
  return secret
}

const yes = new Set(['1', 't', 'T', 'TRUE', 'true', 'True'])
const no = new Set(['', '0', 'f', 'F', 'FALSE', 'false', 'False'])

function readFlag(word: string): boolean {
  if (yes.has(word) || no.has(word)) return yes.has(word)
  throw unprocessable(
    'Invalid is_system_webhook value',
    refused('is_system_webhook', 'it must be "true" or "false"'),
  )
}

const channelForm =
  'it must be 1 to 80 lowercase letters, numbers, hyphens, or underscores, optionally preceded by "#"'

function readOptions(type: HookType, config: Config): HookOptions {
  if (type !== 'slack') return {}
  const present = slackOptions.flatMap(key => (config[key] === undefined ? [] : [[key, config[key].trim()]]))
  const options: HookOptions = Object.fromEntries(present)
  if (options.channel !== undefined && !/^#?[a-z0-9_-]{1,80}$/.test(options.channel)) {
    throw invalid('Invalid slack channel name', refused('channel', channelForm))
  }
  return options
}
