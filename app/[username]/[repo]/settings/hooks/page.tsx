import { listPage } from '@/app/_features/hooks/pages/list-page'
import { placeOfRepository } from '@/app/_features/places/read-place'

export const metadata = { title: 'Webhooks' }

export default listPage(placeOfRepository)
