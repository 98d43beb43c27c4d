//! Reads the items of a WordPress export one by one, in bounded memory.

use crate::imports::importer::posts::stop::{Stop, StoppedReader};
use quick_xml::{Reader, events::BytesStart, events::Event};
use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, BufRead, BufReader, Read},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

/// Maximum size of one element with its text, bytes.
const MAX_ELEMENT_BYTES: u64 = 8 * 1024 * 1024;
/// Maximum size of the text of an item, bytes.
const MAX_ITEM_BYTES: usize = 8 * 1024 * 1024;
/// What an element takes besides its text, bytes.
const ELEMENT_BYTES: usize = 64;
/// Maximum depth of elements. Exports have five.
const MAX_DEPTH: usize = 32;

/// An item: a post, a page, an attachment or something else.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Item {
    /// Texts of its elements, by their name.
    pub texts: BTreeMap<String, String>,
    /// Names of categories and tags, with their taxonomy.
    pub terms: Vec<(String, String)>,
    /// Custom fields.
    pub fields: Vec<(String, String)>,
    /// Number of comments.
    pub comments: usize,
}

impl Item {
    /// Returns the text of an element; empty: there is none.
    #[must_use]
    pub fn text(&self, name: &str) -> &str {
        self.texts.get(name).map_or("", |text| text.trim())
    }

    /// Adds the text of an element. Different states of one post are none that is known.
    fn add(&mut self, name: String, text: String) {
        let known = self.texts.get(&name).filter(|known| **known != text);
        let text = match known {
            Some(known) if name == "wp:status" => format!("{known} and {text}"),
            Some(known) if name == "wp:post_password" && text.is_empty() => known.clone(),
            _ => text,
        };
        self.texts.insert(name, text);
    }

    /// Returns a custom field; empty: there is none.
    #[must_use]
    pub fn field(&self, name: &str) -> &str {
        self.fields.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value.trim())
    }
}

/// What the file says besides its items.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Channel {
    /// Texts of its elements, by their name.
    pub texts: BTreeMap<String, String>,
    /// Names of authors, by their log-in.
    pub authors: BTreeMap<String, String>,
}

/// Reads a file.
pub struct Items {
    reader: Reader<Limited<BufReader<StoppedReader<File>>>>,
    stop: Stop,
    left: Arc<AtomicU64>,
    buffer: Vec<u8>,
    /// What was read besides items so far.
    pub channel: Channel,
    is_finished: bool,
}

impl Items {
    /// Opens a file.
    pub fn open(path: &Path, stop: Stop) -> Result<Self, String> {
        let file = File::open(path).map_err(|why| format!("{} cannot be read: {why}", path.display()))?;
        let left = Arc::new(AtomicU64::new(MAX_ELEMENT_BYTES));
        let input = Limited {
            inner: BufReader::with_capacity(64 * 1024, stop.reader(file)),
            left: Arc::clone(&left),
        };
        Ok(Self {
            reader: Reader::from_reader(input),
            stop,
            left,
            buffer: Vec::new(),
            channel: Channel::default(),
            is_finished: false,
        })
    }

    /// Returns the next item; `None`: the file ends here.
    pub fn next(&mut self) -> Result<Option<Item>, String> {
        let mut open = Open::default();
        while !self.is_finished {
            self.stop.check()?;
            self.left.store(MAX_ELEMENT_BYTES, Ordering::Relaxed);
            self.buffer.clear();
            let at = self.reader.buffer_position();
            let event = self.reader.read_event_into(&mut self.buffer).map_err(|why| unreadable(&why, at))?;
            let is_item_end = matches!(&event, Event::End(end) if end.name().as_ref() == b"item");
            match event {
                Event::DocType(_) => {
                    return Err(
                        "the file has a document type (DOCTYPE), which exports of WordPress never have; \
                                export it again"
                            .to_owned(),
                    );
                }
                Event::Eof => {
                    return Err("the file ends before it is complete; export or copy it again".to_owned());
                }
                Event::Start(start) => open.start(&start)?,
                Event::End(end) => {
                    self.is_finished = end.name().as_ref() == b"rss";
                    open.end(&mut self.channel);
                }
                Event::Text(text) => open.add(&text.decode().map_err(|_| not_utf8())?),
                Event::CData(text) => open.add(&text.decode().map_err(|_| not_utf8())?),
                Event::GeneralRef(entity) => {
                    let letter = entity.resolve_char_ref().ok().flatten().map(String::from);
                    let name = entity.decode().map_err(|_| not_utf8())?;
                    open.add(&letter.unwrap_or_else(|| predefined(&name)));
                }
                _ => {}
            }
            if is_item_end {
                return if open.bytes > MAX_ITEM_BYTES {
                    let name: String = open.item.text("title").chars().take(80).collect();
                    Err(format!("the post “{name}” is larger than 8 MB"))
                } else {
                    Ok(Some(open.item))
                };
            }
        }
        Ok(None)
    }
}

fn not_utf8() -> String {
    "the file is not UTF-8; export it again".to_owned()
}

fn unreadable(why: &quick_xml::Error, at: u64) -> String {
    match why {
        quick_xml::Error::Io(why) if why.kind() == io::ErrorKind::FileTooLarge => {
            format!("an element after byte {at} is larger than 8 MB")
        }
        quick_xml::Error::Syntax(why) => {
            format!("the file ends before it is complete: {why}; export or copy it again")
        }
        other => format!("the file cannot be read as XML after byte {at}: {other}"),
    }
}

/// Text of a named entity. Other entities are never expanded.
fn predefined(name: &str) -> String {
    match name {
        "amp" => "&".to_owned(),
        "lt" => "<".to_owned(),
        "gt" => ">".to_owned(),
        "quot" => "\"".to_owned(),
        "apos" => "'".to_owned(),
        other => format!("&{other};"),
    }
}

/// The elements that are open, and what they hold.
#[derive(Default)]
struct Open {
    item: Item,
    /// Names of the open elements below the channel or the item.
    names: Vec<String>,
    is_item: bool,
    text: String,
    taxonomy: String,
    key: String,
    author: String,
    bytes: usize,
}

impl Open {
    fn start(&mut self, start: &BytesStart<'_>) -> Result<(), String> {
        let name = String::from_utf8_lossy(start.name().as_ref()).into_owned();
        match name.as_str() {
            "rss" | "channel" if !self.is_item => return Ok(()),
            "item" => {
                if !self.is_item {
                    self.bytes = 0;
                }
                self.is_item = true;
                return Ok(());
            }
            "category" => {
                let domain = start.try_get_attribute("domain").ok().flatten();
                self.taxonomy = domain
                    .map(|domain| String::from_utf8_lossy(&domain.value).into_owned())
                    .unwrap_or_default();
            }
            "wp:comment" => self.item.comments += 1,
            _ => {}
        }
        self.text.clear();
        self.names.push(name);
        if self.names.len() > MAX_DEPTH {
            return Err("its elements are nested too deeply for an export of WordPress".to_owned());
        }
        Ok(())
    }

    fn add(&mut self, text: &str) {
        if self.names.first().is_some_and(|name| name == "wp:comment") {
            return;
        }
        self.bytes += text.len();
        if self.bytes <= MAX_ITEM_BYTES {
            self.text.push_str(text);
        }
    }

    fn end(&mut self, channel: &mut Channel) {
        let Some(name) = self.names.pop() else { return };
        let text = std::mem::take(&mut self.text);
        let parent = self.names.last().map_or("", String::as_str);
        let is_kept = (parent.is_empty() && name != "wp:comment") || parent == "wp:postmeta";
        if self.is_item && is_kept {
            self.bytes += ELEMENT_BYTES + name.len() + self.taxonomy.len();
            // It is refused at its end.
            if self.bytes > MAX_ITEM_BYTES {
                return;
            }
        }
        match (parent, name.as_str()) {
            ("wp:comment" | "wp:commentmeta", _) => {}
            ("wp:postmeta", "wp:meta_key") => self.key = text,
            ("wp:postmeta", "wp:meta_value") => self.item.fields.push((std::mem::take(&mut self.key), text)),
            ("wp:author", "wp:author_login") => self.author = text,
            ("wp:author", "wp:author_display_name") => {
                channel.authors.insert(std::mem::take(&mut self.author), text);
                self.bytes = 0;
            }
            ("", "category") if self.is_item => {
                self.item.terms.push((std::mem::take(&mut self.taxonomy), text))
            }
            ("", _) if self.is_item => self.item.add(name, text),
            ("", _) => {
                self.bytes = 0;
                channel.texts.insert(name, text);
            }
            _ => {}
        }
    }
}

/// Input of which one event may read a limited part.
struct Limited<R> {
    inner: R,
    left: Arc<AtomicU64>,
}

impl<R: BufRead> Read for Limited<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let part = self.fill_buf()?;
        let bytes = part.len().min(out.len());
        out[..bytes].copy_from_slice(&part[..bytes]);
        self.consume(bytes);
        Ok(bytes)
    }
}

impl<R: BufRead> BufRead for Limited<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.left.load(Ordering::Relaxed) == 0 {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.inner.fill_buf()
    }

    fn consume(&mut self, bytes: usize) {
        let left = self.left.load(Ordering::Relaxed).saturating_sub(bytes as u64);
        self.left.store(left, Ordering::Relaxed);
        self.inner.consume(bytes);
    }
}
