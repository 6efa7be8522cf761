import { z } from 'zod'

export const ServerVersion = z.object({ version: z.string() }).meta({ id: 'ServerVersion' })

export const ApiSettings = z
  .object({
    max_response_items: z.int(),
    default_paging_num: z.int(),
    default_git_trees_per_page: z.int(),
    default_max_blob_size: z.int(),
    default_max_response_size: z.int(),
  })
  .meta({ id: 'GeneralAPISettings' })

export const AttachmentSettings = z
  .object({ enabled: z.boolean(), allowed_types: z.string(), max_size: z.int(), max_files: z.int() })
  .meta({ id: 'GeneralAttachmentSettings' })

export const GeneralRepositorySettings = z
  .object({
    mirrors_disabled: z.boolean(),
    http_git_disabled: z.boolean(),
    migrations_disabled: z.boolean(),
    stars_disabled: z.boolean(),
    time_tracking_disabled: z.boolean(),
    lfs_disabled: z.boolean(),
  })
  .meta({ id: 'GeneralRepoSettings' })

export const UiSettings = z
  .object({
    default_theme: z.string(),
    allowed_reactions: z.array(z.string()),
    custom_emojis: z.array(z.string()),
  })
  .meta({ id: 'GeneralUISettings' })

const SshAddress = z.object({ user: z.string(), host: z.string(), port: z.int() })
export type SshAddress = z.output<typeof SshAddress>

const SshHostKey = z.object({
  algorithm: z.string(),
  bits: z.int().nullable(),
  fingerprint: z.string(),
  /** Line for a known_hosts file. */
  known_hosts: z.string(),
})

/**
 * SSH address of the site for Git, and the host keys that identify it. The address is null if the site does
 * not offer SSH.
 */
export const SshAccess = z.object({ address: SshAddress.nullable(), host_keys: z.array(SshHostKey) })
export type SshAccess = z.output<typeof SshAccess>

/** Information that the pages need before anyone is signed in. */
export const InstanceStatus = z.object({
  needs_setup: z.boolean(),
  registration: z.boolean(),
  read_only: z.boolean(),
  version: z.string(),
  base_url: z.string(),
})
export type InstanceStatus = z.output<typeof InstanceStatus>
