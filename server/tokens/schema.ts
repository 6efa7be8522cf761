import { z } from 'zod'
import { browseInput, pageInput, pageOf, selectedIds } from '@/server/kernel/pagination'
import { allScopes } from '@/server/kernel/scopes'
import { filledLine, pathText, wireId, wireTimeSchema } from '@/server/kernel/wire'

/** `sha1` is the secret itself and filled only in the answer that made it. */
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

/** A token with the time it ends at, for pages: clients of the REST contract do not know that field. */
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
  name: filledLine(255, 'Give the token a name that says what uses it.'),
  // Unknown words are answered with 400 by the verb, as clients of this contract expect.
  scopes: z
    .array(z.string())
    .max(100)
    .optional()
    .meta({ override: { type: 'array', items: { type: 'string', enum: [...allScopes] } } }),
})
export type CreateTokenInput = z.output<typeof CreateTokenInput>

/** The end is left out for a token that works until it is revoked. */
export const CreateExpiringTokenInput = CreateTokenInput.extend({
  expires_at: z.iso.datetime({ error: 'Choose a day.' }).optional(),
})
export type CreateExpiringTokenInput = z.output<typeof CreateExpiringTokenInput>

export const TokenPath = z.object({
  username: pathText,
  token: pathText.describe('The id of the token, or its name.'),
})
export const TokensPath = OwnerPath.extend({ ids: selectedIds })
