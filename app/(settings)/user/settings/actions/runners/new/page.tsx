import { newPage } from '@/app/_features/runners/pages/new-page'
import { scopeOfUser } from '@/app/_features/scopes/read-scope'

export const metadata = { title: 'New runner' }

export default newPage(scopeOfUser)
