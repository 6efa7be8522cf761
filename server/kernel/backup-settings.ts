import { z } from 'zod'
import { isRecipient } from './age'

/** Settings of scheduled backups, and what backups are encrypted with. */
export interface BackupSettings {
  /** Place of scheduled backups; undefined if there are none. */
  to: string | undefined
  everyMs: number
  /** Number of complete backups that are kept. */
  keep: number
  passphrase: string | undefined
  publicKey: string | undefined
}

const units = { m: 60_000, h: 3_600_000, d: 86_400_000 }

export const backupVariables = {
  GUILDHALL_BACKUP_TO: z
    .string()
    .regex(
      /^(?:(?!\w+:\/\/).+|(?:s3|azure):\/\/[^/].*)$/,
      'expected a path, s3://bucket/prefix, or azure://container/prefix',
    )
    .optional(),
  GUILDHALL_BACKUP_EVERY: z
    .string()
    .regex(/^[1-9]\d{0,3}[mhd]$/, 'expected a duration such as 90m, 24h, or 7d')
    .transform(text => Number(text.slice(0, -1)) * units[text.slice(-1) as keyof typeof units])
    .prefault('24h'),
  GUILDHALL_BACKUP_KEEP: z
    .string()
    .regex(/^[1-9]\d{0,3}$/, 'expected a number of backups from 1 to 9999')
    .transform(Number)
    .prefault('7'),
  GUILDHALL_BACKUP_PASSPHRASE: z.string().min(12, 'expected at least 12 characters').optional(),
  GUILDHALL_BACKUP_PUBLIC_KEY: z
    .string()
    .refine(isRecipient, 'expected a public key that starts with age1')
    .optional(),
}
type Variables = z.output<z.ZodObject<typeof backupVariables>>

export const backupSettingsOf = (env: Variables): BackupSettings => ({
  to: env.GUILDHALL_BACKUP_TO,
  everyMs: env.GUILDHALL_BACKUP_EVERY,
  keep: env.GUILDHALL_BACKUP_KEEP,
  passphrase: env.GUILDHALL_BACKUP_PASSPHRASE,
  publicKey: env.GUILDHALL_BACKUP_PUBLIC_KEY,
})
