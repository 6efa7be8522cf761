import { z } from 'zod'
import { ExpirySchema } from '@/app/_lib/expiry-schema'
import { CreateTokenInput } from '@/server/tokens/schema'

/** Schema of the form for a new token. */
export const NewToken = CreateTokenInput.pick({ name: true }).extend({
  scopes: z.array(z.string()).min(1, 'Select at least one permission.'),
  expiry: ExpirySchema,
})
