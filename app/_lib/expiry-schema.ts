import { z } from 'zod'
import { endOf, presets } from './expiry'

/** How long something is to work, as forms ask for it. */
export const ExpirySchema = z
  .object({ after: z.enum([...presets, 'date', 'never']), date: z.string() })
  .refine(expiry => expiry.after !== 'date' || endOf(expiry, new Date()) > new Date(), {
    path: ['date'],
    message: 'Choose a day from today on.',
  })
