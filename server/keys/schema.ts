import { z } from 'zod'
import { browseInput, pageInput, pageOf, selectedIds } from '@/server/kernel/pagination'
import {
  filledLine,
  id,
  pathText,
  queryText,
  strictBoolean,
  wireId,
  wireTimeSchema,
} from '@/server/kernel/wire'
import { User } from '@/server/users/schema'

/**
 * An SSH public key in REST API responses. Only the owner and administrators get `user`, `read_only`,
 * `key_type`, and `expires_at`; `expires_at` is also absent if the key does not expire.
 */
export const PublicKey = z
  .object({
    id: wireId,
    key: z.string(),
    url: z.string(),
    title: z.string(),
    fingerprint: z.string(),
    created_at: wireTimeSchema,
    last_used_at: wireTimeSchema,
    user: User.optional(),
    read_only: z.boolean().optional(),
    key_type: z.enum(['user', 'deploy', 'unknown']).optional(),
    expires_at: wireTimeSchema.optional(),
  })
  .meta({ id: 'PublicKey' })
export type PublicKey = z.output<typeof PublicKey>
export const PublicKeyPage = pageOf(PublicKey)

/**
 * An SSH key as pages list it. `bits` is null for a key of a type that is no longer supported;
 * `last_used_address` is null for a key that was never used, and for everyone but the owner and
 * administrators.
 */
export const ListedKey = PublicKey.pick({
  id: true,
  title: true,
  fingerprint: true,
  created_at: true,
  last_used_at: true,
  expires_at: true,
}).extend({
  algorithm: z.string(),
  bits: z.int().nullable(),
  last_used_address: z.string().nullable(),
})
export type ListedKey = z.output<typeof ListedKey>
export const ListedKeyPage = pageOf(ListedKey)

const fingerprint = queryText
  .optional()
  .describe('Fingerprint, with or without `SHA256:`. Lists all matching keys on a single page.')

export const ListMyKeysInput = z.object({ fingerprint, ...pageInput })
export const BrowseKeysInput = z.object({
  username: pathText.optional(),
  ...browseInput(['newest', 'name', 'used']),
})
export type BrowseKeysInput = z.output<typeof BrowseKeysInput>
export const ListUserKeysInput = ListMyKeysInput.extend({ username: pathText })
export const KeyPath = z.object({ id })
export const KeysPath = z.object({ ids: selectedIds })

const noTime = 'Use a time with an offset, such as 2030-01-01T00:00:00Z.'

export const AddKeyInput = z.object({
  title: filledLine(255, 'Enter a title for the key, such as the name of the machine where it is stored.'),
  key: z.string().trim().min(1, 'Paste the public key.'),
  // For deploy keys. A person's key can always write.
  read_only: strictBoolean.optional(),
  expires_at: z.iso
    .datetime({ offset: true, error: noTime })
    .refine(time => new Date(time).getUTCFullYear() < 10_000, noTime)
    .optional()
    .describe('When the key expires. Omit it for a key that does not expire.'),
})
export type AddKeyInput = z.output<typeof AddKeyInput>

export const AddKeyForInput = AddKeyInput.extend({ username: pathText })
export const UserKeyPath = z.object({ username: pathText, id })
export const UserKeysPath = KeysPath.extend({ username: pathText })

export const PreviewKeyInput = z.object({
  key: z.string().max(20_000, 'This text is too long to be a single public key.'),
})

/** The type, size and fingerprint of a pasted key, before it is saved. */
export const KeyPreview = z.object({
  algorithm: z.string(),
  bits: z.int(),
  fingerprint: z.string(),
  comment: z.string(),
})
export type KeyPreview = z.output<typeof KeyPreview>
