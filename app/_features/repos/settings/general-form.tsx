'use client'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import { Panel } from '@/app/_components/box'
import { CheckField } from '@/app/_components/check-field'
import { SaveForm } from '@/app/_components/save-form'
import { TextField } from '@/app/_components/text-field'
import { TextareaField } from '@/app/_components/textarea-field'
import { RepositoryNameField } from '@/app/_features/repos/repository-name-field'
import { repositoryPath } from '@/app/_lib/paths'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useSaveForm } from '@/app/_lib/use-save-form'
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
  const owner = repository.owner.login
  const saved = valuesOf(repository)
  const edit = useSaveForm({
    schema: async () => (await import('./general-values')).GeneralValues,
    saved,
    labels,
    save: async change => {
      const now = await trpc.repos.save.mutate({ owner, repo: repository.name, ...change })
      toast.success('Settings saved')
      if (now.name !== repository.name) router.replace(repositoryPath(now, 'settings'))
      return valuesOf(now)
    },
  })
  const name = useWatch({ control: edit.form.control, name: 'name' })

  return (
    <Panel title="General">
      <SaveForm edit={edit} failed="The settings were not saved" action="Save settings">
        <RepositoryNameField
          field={edit.form.register('name')}
          initial={saved.name}
          value={name}
          base={repository.html_url.slice(0, -repository.name.length)}
          readOnly={edit.text('name').readOnly}
          error={edit.text('name').error}
        />
        <RenameNotice repository={repository} name={name.trim()} />
        <TextareaField {...edit.text('description')} optional rows={3} />
        <TextField {...edit.text('website')} type="url" optional placeholder="https://" />
        <DefaultBranchField
          field={edit.form.register('default_branch')}
          current={repository.default_branch}
          branches={branches}
          error={edit.text('default_branch').error}
        />
        <CheckField {...edit.check('template')} caption="Marks it as a pattern for new repositories." />
      </SaveForm>
    </Panel>
  )
}
