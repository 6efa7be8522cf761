import { z } from 'zod'
import { endOf, presets } from './expiry'

/** Schema of the expiration fields of forms. */
export const ExpirySchema = z
  .object({ after: z.enum([...presets, 'date', 'never']), date: z.string() })
  .refine(expiry => expiry.after !== 'date' || endOf(expiry, new Date()) > new Date(), {
    path: ['date'],
    message: 'Select today or a later date.',
  })
