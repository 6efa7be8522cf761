import { z } from 'zod'
import { router } from '@/server/trpc/init'
import { openProcedure } from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { getGitignore, gitignoreNames } from './gitignore'
import { getLicense, listLicenses } from './licenses'
import { GitignoreTemplate, License, LicenseEntry, TemplatePath } from './schema'

const common = { tag: 'miscellaneous', anonymous: true } as const
const absent = { 404: 'The template does not exist.' }

export const templatesRouter = router({
  licenses: openProcedure
    .meta(
      rest('GET', '/licenses', { ...common, summary: 'List the licenses available for new repositories' }),
    )
    .output(z.array(LicenseEntry))
    .query(({ ctx }) => listLicenses(ctx.config.baseUrl)),

  license: openProcedure
    .meta(
      rest('GET', '/licenses/{name}', { ...common, summary: 'Get a license with its text', errors: absent }),
    )
    .input(TemplatePath)
    .output(License)
    .query(({ ctx, input }) => getLicense(input.name, ctx.config.baseUrl)),

  gitignores: openProcedure
    .meta(
      rest('GET', '/gitignore/templates', {
        ...common,
        summary: 'List the .gitignore templates available for new repositories',
      }),
    )
    .output(z.array(z.string()))
    .query(() => [...gitignoreNames]),

  gitignore: openProcedure
    .meta(
      rest('GET', '/gitignore/templates/{name}', {
        ...common,
        summary: 'Get a .gitignore template',
        errors: absent,
      }),
    )
    .input(TemplatePath)
    .output(GitignoreTemplate)
    .query(({ input }) => getGitignore(input.name)),
})
