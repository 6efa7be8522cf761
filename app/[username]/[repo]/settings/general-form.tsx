'use client'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import { Panel } from '@/app/_components/box'
import { CheckField } from '@/app/_components/check-field'
import form from '@/app/_components/form.module.css'
import { FormBanner } from '@/app/_components/form-banner'
import { SaveActions } from '@/app/_components/save-actions'
import { SaveConflicts } from '@/app/_components/save-conflicts'
import { TextField } from '@/app/_components/text-field'
import { TextareaField } from '@/app/_components/textarea-field'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useHydrated } from '@/app/_lib/use-hydrated'
import { useSaveForm } from '@/app/_lib/use-save-form'
import { repositoryAddress } from '@/app/_repos/repository-address'
import { RepositoryNameField } from '@/app/_repos/repository-name-field'
import type { BranchNames } from '@/server/repos/refs/schema'
import type { Repository } from '@/server/repos/schema'
import { DefaultBranchField } from './default-branch-field'
import { RenameNotice } from './rename-notice'

interface GeneralFormProps {
  repository: Repository
  branches: BranchNames
}

const valuesOf = (repository: Repository) => ({
  name: repository.name,
  description: repository.description,
  website: repository.website,
  default_branch: repository.default_branch,
  template: repository.template,
})

const labels = {
  name: 'Name',
  description: 'Description',
  website: 'Website',
  default_branch: 'Default branch',
  template: 'Template',
}

export function GeneralForm({ repository, branches }: GeneralFormProps): ReactNode {
  const router = useRouter()
  const hydrated = useHydrated()
  const owner = repository.owner.login
  const saved = valuesOf(repository)
  const {
    form: general,
    submit,
    unsaved,
    saving,
    problem,
    conflicts,
    takeTheirs,
  } = useSaveForm({
    schema: async () => (await import('./general-values')).GeneralValues,
    saved,
    save: async edit => {
      const now = await trpc.repos.save.mutate({ owner, repo: repository.name, ...edit })
      toast.success('Settings saved')
      if (now.name !== repository.name) router.replace(repositoryAddress(now, 'settings'))
      router.refresh()
      return valuesOf(now)
    },
  })
  const { errors } = general.formState
  const name = useWatch({ control: general.control, name: 'name' })

  return (
    <Panel title="General">
      <form className={`${form.form} ${form.narrow}`} onSubmit={submit} noValidate method="post">
        <FormBanner title="The settings were not saved" message={problem} />
        <SaveConflicts conflicts={conflicts} labels={labels} onTake={takeTheirs} />
        <RepositoryNameField
          field={general.register('name')}
          initial={saved.name}
          value={name}
          base={repository.html_url.slice(0, -repository.name.length)}
          readOnly={!hydrated}
          error={errors.name?.message}
        />
        <RenameNotice repository={repository} name={name.trim()} />
        <TextareaField
          {...general.register('description')}
          defaultValue={saved.description}
          readOnly={!hydrated}
          label={labels.description}
          optional
          rows={3}
          error={errors.description?.message}
        />
        <TextField
          {...general.register('website')}
          defaultValue={saved.website}
          readOnly={!hydrated}
          label={labels.website}
          type="url"
          optional
          placeholder="https://"
          error={errors.website?.message}
        />
        <DefaultBranchField
          field={general.register('default_branch')}
          current={repository.default_branch}
          branches={branches}
          error={errors.default_branch?.message}
        />
        <CheckField
          {...general.register('template')}
          defaultChecked={saved.template}
          label={labels.template}
          caption="Marks it as a pattern for new repositories."
        />
        <SaveActions words="Save settings" unsaved={unsaved} saving={saving} />
      </form>
    </Panel>
  )
}
