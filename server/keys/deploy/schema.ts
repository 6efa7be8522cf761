import { z } from 'zod'
import { browseInput, pageInput, pageOf, selectedIds } from '@/server/kernel/pagination'
import {
  filledLine,
  id,
  lenientId,
  queryText,
  strictBoolean,
  wireId,
  wireTimeSchema,
} from '@/server/kernel/wire'
import { RepoPath, Repository } from '@/server/repos/schema'
import { AddKeyInput } from '../schema'

/**
 * A deploy key in REST API responses. Only the repository's owner and site administrators get `repository`.
 */
export const DeployKey = z
  .object({
    id: wireId,
    key_id: wireId.describe('ID of the key itself, which multiple repositories can share.'),
    key: z.string(),
    url: z.string(),
    title: z.string(),
    fingerprint: z.string(),
    created_at: wireTimeSchema,
    last_used_at: wireTimeSchema
      .nullable()
      .describe('When the key was last used for this repository; null if never.'),
    expires_at: wireTimeSchema.nullable().describe('When the key expires; null if it does not expire.'),
    read_only: z.boolean(),
    repository: Repository.optional(),
  })
  .meta({ id: 'DeployKey' })
export type DeployKey = z.output<typeof DeployKey>
export const DeployKeyPage = pageOf(DeployKey)

/**
 * A deploy key as pages list it. `bits` is null for a stored key of a type that is no longer supported,
 * `last_used_address` for a key that was never used.
 */
export const ListedDeployKey = DeployKey.omit({
  key_id: true,
  key: true,
  url: true,
  repository: true,
}).extend({
  algorithm: z.string(),
  bits: z.int().nullable(),
  last_used_address: z.string().nullable(),
})
export type ListedDeployKey = z.output<typeof ListedDeployKey>
export const ListedDeployKeyPage = pageOf(ListedDeployKey)

const fingerprint = queryText
  .transform(text => text || undefined)
  .optional()
  .meta({ override: { type: 'string' }, description: 'Fingerprint of the key, with or without `SHA256:`.' })

export const ListDeployKeysInput = RepoPath.extend({ key_id: lenientId, fingerprint, ...pageInput })
export type ListDeployKeysInput = z.output<typeof ListDeployKeysInput>
export const BrowseDeployKeysInput = RepoPath.extend(browseInput(['newest', 'name', 'used']))
export type BrowseDeployKeysInput = z.output<typeof BrowseDeployKeysInput>
export const DeployKeyPath = RepoPath.extend({ id })
export const DeployKeysPath = RepoPath.extend({ ids: selectedIds })

export const CreateDeployKeyInput = RepoPath.extend({
  ...AddKeyInput.shape,
  title: filledLine(255, 'Enter a title for the key, such as the name of the program that uses it.'),
  read_only: strictBoolean
    .optional()
    .describe('Defaults to `true`. Set to `false` to allow pushing with the key.'),
})
export type CreateDeployKeyInput = z.output<typeof CreateDeployKeyInput>
