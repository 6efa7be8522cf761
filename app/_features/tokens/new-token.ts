import { z } from 'zod'
import { ExpirySchema } from '@/app/_lib/expiry-schema'
import { CreateTokenInput } from '@/server/tokens/schema'

/** What the form for a new token asks for. */
export const NewToken = CreateTokenInput.pick({ name: true }).extend({
  scopes: z.array(z.string()).min(1, 'Choose at least one permission.'),
  expiry: ExpirySchema,
})
