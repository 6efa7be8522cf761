'use client'
import type { ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import { FormBanner, TextareaField, TextField } from '@/app/_components/fields'
import form from '@/app/_components/form.module.css'
import { ButtonLink } from '@/app/_components/links'
import { Button } from '@/app/_components/primer'
import { RepositoryNameField } from '@/app/_features/repos/repository-name-field'
import { BeginningFields, LabelsField, OwnerField, VisibilityField } from './fields'
import styles from './new.module.css'
import { useNewRepository } from './use-new-repository'

interface NewRepositoryFormProps {
  me: string
  owners: readonly string[]
  initialOwner: string
  initialName: string
  baseUrl: string
  gitignores: readonly string[]
  /** Names of the templates with labels. */
  labels: readonly string[]
}

export function NewRepositoryForm({
  me,
  owners,
  initialOwner,
  initialName,
  baseUrl,
  gitignores,
  labels,
}: NewRepositoryFormProps): ReactNode {
  const { repository, submit, isBusy } = useNewRepository(me, { owner: initialOwner, name: initialName })
  const { errors } = repository.formState
  const [owner, name, visibility, hasReadme, gitignore, license] = useWatch({
    control: repository.control,
    name: ['owner', 'name', 'visibility', 'auto_init', 'gitignores', 'license'],
  })

  return (
    <form className={`${form.form} ${form.narrow}`} onSubmit={submit} noValidate method="post">
      <FormBanner title="The repository couldn’t be created" message={errors.root?.server?.message} />
      <OwnerField
        field={repository.register('owner', { onChange: () => repository.clearErrors('name') })}
        owners={owners}
      />
      <RepositoryNameField
        field={repository.register('name')}
        value={name}
        base={`${baseUrl}/${owner}/`}
        owner={owner}
        onUse={used => {
          repository.setValue('name', used, { shouldDirty: true })
          repository.clearErrors('name')
          repository.setFocus('name')
        }}
        autoFocus
        error={errors.name?.message}
      />
      <TextareaField
        {...repository.register('description')}
        label="Description"
        optional
        rows={2}
        error={errors.description?.message}
      />
      <VisibilityField
        field={repository.register('visibility')}
        value={visibility}
        owner={owner}
        isMine={owner === me}
      />
      <BeginningFields
        hasReadme={Boolean(hasReadme)}
        onReadme={wanted => repository.setValue('auto_init', wanted, { shouldDirty: true })}
        needsReadme={Boolean(gitignore || license)}
        gitignore={repository.register('gitignores')}
        license={repository.register('license')}
        gitignores={gitignores}
      />
      <LabelsField field={repository.register('issue_labels')} templates={labels} />
      <details className={styles.more} open={errors.default_branch ? true : undefined}>
        <summary>More options</summary>
        <div>
          <TextField
            {...repository.register('default_branch')}
            label="Default branch"
            optional
            autoComplete="off"
            spellCheck={false}
            placeholder="main"
            error={errors.default_branch?.message}
          />
        </div>
      </details>
      <div className={form.actions}>
        <Button type="submit" variant="primary" loading={isBusy}>
          Create repository
        </Button>
        <ButtonLink href="/">Cancel</ButtonLink>
      </div>
    </form>
  )
}
