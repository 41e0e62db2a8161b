/** A worker: the languages and zones that it reads are then there for the whole process of the browser. */
new Intl.DateTimeFormat('en').format();
new Intl.NumberFormat('en').format(0);
self.close();
