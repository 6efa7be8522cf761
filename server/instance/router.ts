import { z } from 'zod'
import { isAnonymous } from '@/server/kernel/caller'
import { defaultPageSize, maxPageSize } from '@/server/kernel/pagination'
import { apiVersion, productVersion } from '@/server/kernel/version'
import { router } from '@/server/trpc/init'
import { openProcedure } from '@/server/trpc/procedures'
import { type RestOptions, rest } from '@/server/trpc/rest'
import { anyUserExists, defaultTheme } from '@/server/users'
import {
  ApiSettings,
  AttachmentSettings,
  GeneralRepositorySettings,
  InstanceStatus,
  ServerVersion,
  SshAccess,
  UiSettings,
} from './schema'
import { describeSsh } from './ssh'

const open = (summary: string): RestOptions => ({
  tag: 'settings',
  anonymous: true,
  constant: true,
  summary,
})

export const instanceRouter = router({
  getStatus: openProcedure
    .input(z.void())
    .output(InstanceStatus)
    .query(async ({ ctx }) => ({
      needs_setup: isAnonymous(ctx.caller) && !(await anyUserExists(ctx.db)),
      registration: ctx.config.registration,
      read_only: ctx.config.readOnly,
      version: productVersion,
      base_url: ctx.config.baseUrl,
    })),

  getSsh: openProcedure
    .input(z.void())
    .output(SshAccess)
    .query(({ ctx }) => describeSsh(ctx)),

  getVersion: openProcedure
    .meta(rest('GET', '/version', open('Get the API version')))
    .output(ServerVersion)
    .query(() => ({ version: apiVersion })),

  getApiSettings: openProcedure
    .meta(rest('GET', '/settings/api', open('Get the API limits')))
    .output(ApiSettings)
    .query(() => ({
      max_response_items: maxPageSize,
      default_paging_num: defaultPageSize,
      default_git_trees_per_page: 1000,
      default_max_blob_size: 10_485_760,
      default_max_response_size: 104_857_600,
    })),

  getAttachmentSettings: openProcedure
    .meta(rest('GET', '/settings/attachment', open('Get the limits for issue attachments')))
    .output(AttachmentSettings)
    .query(({ ctx: { config } }) => ({
      enabled: config.attachments,
      allowed_types: issueAttachmentTypes,
      max_size: 100,
      max_files: 5,
    })),

  getRepositorySettings: openProcedure
    .meta(rest('GET', '/settings/repository', open("Get the site's repository settings")))
    .output(GeneralRepositorySettings)
    .query(() => ({
      mirrors_disabled: true,
      http_git_disabled: false,
      migrations_disabled: true,
      stars_disabled: true,
      time_tracking_disabled: true,
      lfs_disabled: true,
    })),

  getUiSettings: openProcedure
    .meta(rest('GET', '/settings/ui', open('Get the default settings of the web interface')))
    .output(UiSettings)
    .query(() => ({ default_theme: defaultTheme, allowed_reactions: [], custom_emojis: [] })),
})

const issueAttachmentTypes =
  '.avif,.cpuprofile,.csv,.dmp,.docx,.fodg,.fodp,.fods,.fodt,.gif,.gz,.jpeg,.jpg,.json,.jsonc,.log,.md,.mov,.mp4,' +
  '.odf,.odg,.odp,.ods,.odt,.patch,.pdf,.png,.pptx,.svg,.tgz,.txt,.webm,.webp,.xls,.xlsx,.zip'
