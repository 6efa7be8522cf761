import { expect, it } from 'vitest'
import { NewRepository } from './form-schemas'

it('NewRepository keeps everything that a new repository can begin with', () => {
  const values = { auto_init: true, gitignores: 'Go', license: 'MIT', issue_labels: 'Default' }
  const others = { owner: 'ada', name: 'engine', visibility: 'public' }
  expect(NewRepository.parse({ ...others, ...values })).toMatchObject(values)
})
