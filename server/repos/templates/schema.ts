import { z } from 'zod'
import { pathText } from '@/server/kernel/wire'

const entry = { key: z.string(), name: z.string(), url: z.string() }

export const LicenseEntry = z.object(entry).meta({ id: 'LicensesTemplateListEntry' })
export type LicenseEntry = z.output<typeof LicenseEntry>

export const License = z
  .object({ ...entry, implementation: z.string(), body: z.string() })
  .meta({ id: 'LicenseTemplateInfo' })
export type License = z.output<typeof License>

export const GitignoreTemplate = z
  .object({ name: z.string(), source: z.string() })
  .meta({ id: 'GitignoreTemplateInfo' })
export type GitignoreTemplate = z.output<typeof GitignoreTemplate>

export const TemplatePath = z.object({ name: pathText })
