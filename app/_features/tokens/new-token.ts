import { z } from 'zod'
import { CreateTokenInput } from '@/server/tokens/schema'
import { endOf, presets } from './token-expiry'

const Expiry = z
  .object({ after: z.enum([...presets, 'date', 'never']), date: z.string() })
  .refine(expiry => expiry.after !== 'date' || endOf(expiry, new Date()) > new Date(), {
    path: ['date'],
    message: 'Choose a day from today on.',
  })

/** What the form for a new token asks for. */
export const NewToken = CreateTokenInput.pick({ name: true }).extend({
  scopes: z.array(z.string()).min(1, 'Choose at least one permission.'),
  expiry: Expiry,
})
