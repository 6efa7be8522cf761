import { z } from 'zod'
import { OrgPath } from '@/server/orgs/schema'
import { RepoPath } from '@/server/repos/schema'
import { router } from '@/server/trpc/init'
import { openProcedure, signedInProcedure, signedInWith } from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { createLabel } from './create'
import { editLabel, saveLabel } from './edit'
import { getLabel, listLabels, showLabels } from './list'
import { loadToChange } from './load'
import { removeLabel } from './remove'
import {
  CreateLabelOption,
  EditLabelOption,
  HolderInput,
  Label,
  LabelId,
  LabelOverview,
  LabelPage,
  LabelTemplateEntry,
  LabelTemplatePath,
  ListOrgLabelsInput,
  ListRepoLabelsInput,
  OrgLabelPath,
  RepoLabelPath,
  SaveLabelInput,
  ShowLabelsInput,
} from './schema'
import { getLabelTemplate, labelTemplateNames } from './templates'

const ofRepo = { tag: 'issue', scopes: ['issue'] } as const
const ofOrg = { tag: 'organization', scopes: ['organization'] } as const
const repoErrors = { 404: 'The repository or label does not exist or is not visible to you.' }
const orgErrors = { 404: 'The organization or label does not exist or is not visible to you.' }
const writersOnly = { ...repoErrors, 403: 'You do not have permission to write issues or pull requests.' }
const ownersOnly = { ...orgErrors, 403: 'You do not own the organization.' }
const refused = { 422: 'The input is invalid, or there are 1,000 labels.' }

const repo = signedInWith(RepoPath, loadToChange)
const org = signedInWith(OrgPath, loadToChange)

/** Labels of a repository. */
const inRepo = router({
  list: openProcedure
    .meta(
      rest('GET', '/repos/{owner}/{repo}/labels', {
        ...ofRepo,
        anonymous: true,
        page: 'count',
        summary: 'List the labels of a repository',
        errors: repoErrors,
      }),
    )
    .input(ListRepoLabelsInput)
    .output(LabelPage)
    .query(({ ctx, input: { owner, repo, ...page } }) => listLabels(ctx, { owner, repo }, page)),

  get: openProcedure
    .meta(
      rest('GET', '/repos/{owner}/{repo}/labels/{id}', {
        ...ofRepo,
        anonymous: true,
        summary: 'Get a label of a repository by its ID or name',
        errors: repoErrors,
      }),
    )
    .input(RepoLabelPath)
    .output(Label)
    .query(({ ctx, input: { id, ...path } }) => getLabel(ctx, path, id)),

  create: repo
    .meta(
      rest('POST', '/repos/{owner}/{repo}/labels', {
        ...ofRepo,
        status: 201,
        summary: 'Create a label in a repository',
        errors: { ...writersOnly, ...refused },
      }),
    )
    .input(CreateLabelOption)
    .output(Label)
    .mutation(({ ctx, input }) => createLabel(ctx, ctx.found, input)),

  edit: repo
    .meta(
      rest('PATCH', '/repos/{owner}/{repo}/labels/{id}', {
        ...ofRepo,
        summary: 'Update a label of a repository',
        errors: writersOnly,
      }),
    )
    .input(EditLabelOption.extend(LabelId.shape))
    .output(Label)
    .mutation(({ ctx, input: { id, ...input } }) => editLabel(ctx, ctx.found, id, input)),

  remove: repo
    .meta(
      rest('DELETE', '/repos/{owner}/{repo}/labels/{id}', {
        ...ofRepo,
        status: 204,
        summary: 'Delete a label of a repository, if it exists',
        errors: writersOnly,
      }),
    )
    .input(LabelId)
    .output(z.void())
    .mutation(({ ctx, input }) => removeLabel(ctx, ctx.found, input.id)),
})

/** Labels of an organization. */
const inOrg = router({
  list: openProcedure
    .meta(
      rest('GET', '/orgs/{org}/labels', {
        ...ofOrg,
        anonymous: true,
        page: 'count',
        summary: 'List the labels of an organization',
        errors: orgErrors,
      }),
    )
    .input(ListOrgLabelsInput)
    .output(LabelPage)
    .query(({ ctx, input: { org, ...page } }) => listLabels(ctx, { org }, page)),

  get: signedInProcedure
    .meta(
      rest('GET', '/orgs/{org}/labels/{id}', {
        ...ofOrg,
        summary: 'Get a label of an organization by its ID or name',
        errors: orgErrors,
      }),
    )
    .input(OrgLabelPath)
    .output(Label)
    .query(({ ctx, input: { id, ...path } }) => getLabel(ctx, path, id)),

  create: org
    .meta(
      rest('POST', '/orgs/{org}/labels', {
        ...ofOrg,
        status: 201,
        summary: 'Create a label in an organization',
        errors: { ...ownersOnly, ...refused },
      }),
    )
    .input(CreateLabelOption)
    .output(Label)
    .mutation(({ ctx, input }) => createLabel(ctx, ctx.found, input)),

  edit: org
    .meta(
      rest('PATCH', '/orgs/{org}/labels/{id}', {
        ...ofOrg,
        summary: 'Update a label of an organization',
        errors: ownersOnly,
      }),
    )
    .input(EditLabelOption.extend(LabelId.shape))
    .output(Label)
    .mutation(({ ctx, input: { id, ...input } }) => editLabel(ctx, ctx.found, id, input)),

  remove: org
    .meta(
      rest('DELETE', '/orgs/{org}/labels/{id}', {
        ...ofOrg,
        status: 204,
        summary: 'Delete a label of an organization, if it exists',
        errors: ownersOnly,
      }),
    )
    .input(LabelId)
    .output(z.void())
    .mutation(({ ctx, input }) => removeLabel(ctx, ctx.found, input.id)),
})

const templates = router({
  list: openProcedure
    .meta(
      rest('GET', '/label/templates', {
        tag: 'miscellaneous',
        anonymous: true,
        summary: 'List the label templates available for new repositories',
      }),
    )
    .output(z.array(z.string()))
    .query(() => [...labelTemplateNames]),

  get: openProcedure
    .meta(
      rest('GET', '/label/templates/{name}', {
        tag: 'miscellaneous',
        anonymous: true,
        summary: 'Get the labels of a template',
        errors: { 404: 'The template does not exist.' },
      }),
    )
    .input(LabelTemplatePath)
    .output(z.array(LabelTemplateEntry))
    .query(({ input }) => [...getLabelTemplate(input.name)]),
})

const held = signedInWith(HolderInput, (ctx, { holder }) => loadToChange(ctx, holder))

/** For pages, which do not care what labels belong to. */
const page = router({
  show: openProcedure
    .input(ShowLabelsInput)
    .output(LabelOverview)
    .query(({ ctx, input }) => showLabels(ctx, input.holder, input.page)),

  add: held
    .input(CreateLabelOption)
    .output(Label)
    .mutation(({ ctx, input }) => createLabel(ctx, ctx.found, input)),

  save: held
    .input(SaveLabelInput)
    .output(Label)
    .mutation(({ ctx, input }) => saveLabel(ctx, ctx.found, input)),

  remove: held
    .input(LabelId)
    .output(z.void())
    .mutation(({ ctx, input }) => removeLabel(ctx, ctx.found, input.id)),
})

export const labelsRouter = router({ inRepo, inOrg, templates, page })
