import { z } from 'zod'
import { browseInput, pageInput, pageOf, selectedIds } from '@/server/kernel/pagination'
import { allScopes } from '@/server/kernel/scopes'
import { filledLine, pathText, wireId, wireTimeSchema } from '@/server/kernel/wire'

/** An access token of the REST API. `sha1` is the secret, and empty except in the response that created it. */
export const AccessToken = z
  .object({
    id: wireId,
    name: z.string(),
    sha1: z.string(),
    token_last_eight: z.string(),
    scopes: z.array(z.string()),
    created_at: wireTimeSchema,
    last_used_at: wireTimeSchema,
  })
  .meta({ id: 'AccessToken' })
export type AccessToken = z.output<typeof AccessToken>
export const AccessTokenPage = pageOf(AccessToken)

/** A token with its expiration date, for pages: the REST contract has no such field. */
export const ExpiringToken = AccessToken.extend({ expires_at: wireTimeSchema.nullable() }).meta({
  id: undefined,
})
export type ExpiringToken = z.output<typeof ExpiringToken>
export const ExpiringTokenPage = pageOf(ExpiringToken)

export const OwnerPath = z.object({ username: pathText })
export const ListTokensInput = OwnerPath.extend(pageInput)
export const BrowseTokensInput = OwnerPath.extend(browseInput(['newest', 'name', 'used', 'expires']))
export type BrowseTokensInput = z.output<typeof BrowseTokensInput>

export const CreateTokenInput = z.object({
  username: pathText,
  name: filledLine(255, 'Enter a name that describes what the token is for.'),
  // The verb refuses unknown words with 400, as clients of this contract expect.
  scopes: z
    .array(z.string())
    .max(100)
    .optional()
    .meta({ override: { type: 'array', items: { type: 'string', enum: [...allScopes] } } }),
})
export type CreateTokenInput = z.output<typeof CreateTokenInput>

/** Input to create a token. Without an expiration date, the token is valid until it is revoked. */
export const CreateExpiringTokenInput = CreateTokenInput.extend({
  expires_at: z.iso.datetime({ error: 'Select a date.' }).optional(),
})
export type CreateExpiringTokenInput = z.output<typeof CreateExpiringTokenInput>

export const TokenPath = z.object({
  username: pathText,
  token: pathText.describe("The token's ID or name."),
})
export const TokensPath = OwnerPath.extend({ ids: selectedIds })
